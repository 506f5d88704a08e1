"""Judges, which read the messages of a game and pick quotes or find promises."""
