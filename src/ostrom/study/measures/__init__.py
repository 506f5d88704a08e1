"""The measures, one file a theme; `registry.py` lists them all."""
