"""Judges: readers of the messages of a game, who pick quotes or find promises."""
