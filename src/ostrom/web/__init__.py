"""A local web application over a journal: watch, replay and compare games, and take a seat. It needs `ostrom[web]`."""
