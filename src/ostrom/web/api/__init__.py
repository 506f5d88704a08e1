"""The API, with one module for each topic. Each module has the models of requests and replies, the functions that
compute replies, and the routes. The OpenAPI document and the types of the pages are generated from the models."""
