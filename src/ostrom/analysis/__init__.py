"""What the record shows: measures with their uncertainty, and ratings."""
