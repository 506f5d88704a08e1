"""People as players: a seat with a secret link, with the prompts and the checks of a model."""
