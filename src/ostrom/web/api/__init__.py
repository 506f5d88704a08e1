"""The API, one file per topic: the models of its requests and replies (of which the OpenAPI document and the pages'
types are made), the functions that compute them, and the routes."""
