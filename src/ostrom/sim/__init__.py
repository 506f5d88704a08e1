"""Simulations of many games: the batch engine on NumPy or JAX, and the tournaments, sweeps and populations that use
this engine."""
