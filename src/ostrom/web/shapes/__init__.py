"""What the API answers and takes, typed: the OpenAPI document, and from it the pages' types, are made of these."""
