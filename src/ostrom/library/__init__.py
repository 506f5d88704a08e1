"""The library's front door: what `import ostrom` shows. It plays, runs and opens; its results show themselves in a
notebook. Names are looked up in `ostrom/__init__.py`, and everything here reaches games through their entry points."""
