"""Players: champions, simulated subjects, language models, people, and players that repeat the answers of a record."""
