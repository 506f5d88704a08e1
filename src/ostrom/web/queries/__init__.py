"""What the routes answer, computed from the journal by functions that know no web framework."""
