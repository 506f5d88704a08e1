"""The functions and classes that `import ostrom` offers. They play games, run experiments and open journals. Their
results can be displayed in a notebook. `ostrom/__init__.py` looks up the names. This package reaches games only through
the entry points of the games."""
