"""Language models at the table: bots, prompts, answer forms and connections. Only a model that plays imports the client
libraries; this package alone imports none of them."""
