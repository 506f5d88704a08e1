"""Serves: a local web application over a journal, to watch, replay, compare and take a seat. Routes are thin; what they
answer is computed by functions in `queries/` that know no framework. Imported when used: it needs `ostrom[web]`."""
