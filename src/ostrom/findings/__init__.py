"""The verbs of the lab, one module for each, and the findings that they return."""
