"""Judges: a reader of what was said in a game, who picks quotes or finds promises."""
