"""The verbs of the lab, with one module for each, and the findings that the verbs return."""
