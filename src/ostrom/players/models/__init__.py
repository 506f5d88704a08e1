"""Language models as players: bots, prompts, forms of answers, and connections. Importing this package does not import
the client libraries of providers. They are imported when a model plays."""
