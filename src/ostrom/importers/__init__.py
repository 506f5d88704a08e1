"""Reads others' logs and replays them through our rules, one file a source."""
