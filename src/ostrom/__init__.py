"""Ostrom: a laboratory for economic behaviour."""
