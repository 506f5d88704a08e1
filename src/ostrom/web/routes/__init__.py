"""The routes, one file a subject: they read a request, call a function that knows no web, and say what came of it."""
