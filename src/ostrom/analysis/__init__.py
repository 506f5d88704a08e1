"""Measures of recorded games with their uncertainty, and ratings of players."""
