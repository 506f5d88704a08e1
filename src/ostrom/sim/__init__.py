"""Plays a million: the batch engine, on NumPy or JAX, and the tournament."""
