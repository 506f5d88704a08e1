"""Keeps: records of games, in files here."""
