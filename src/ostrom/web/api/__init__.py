"""The API, one file a topic: what it answers and takes (typed: the OpenAPI document, and from it the pages' types, are
made of these shapes), how that is computed, and the routes, which read a request and say what came of it."""
