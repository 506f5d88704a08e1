"""Language models as players: bots, prompts, forms of answers and connections. Only a model that plays imports the
client libraries; importing this package does not."""
