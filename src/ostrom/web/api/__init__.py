"""The API, one file per topic. Each file has the models of requests and replies, the functions that compute replies,
and the routes. The OpenAPI document and the pages' types are generated from the models."""
