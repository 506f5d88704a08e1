"""The verbs of the lab, one module each, and the findings that they return."""
