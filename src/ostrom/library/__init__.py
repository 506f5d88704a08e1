"""The functions and classes that `import ostrom` offers. They play games, run experiments and open journals, and a
notebook displays their results. `ostrom/__init__.py` looks up the names. This package reaches games only through their
entry points."""
