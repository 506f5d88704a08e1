"""Serves: a local web application over a journal, to watch, replay, compare and take a seat. Imported when used: it
needs `ostrom[web]`."""
