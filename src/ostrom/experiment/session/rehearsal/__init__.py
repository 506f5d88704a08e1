"""Rehearsals: simulated people or models take part in a session over HTTP, by the routes that people's pages use."""
