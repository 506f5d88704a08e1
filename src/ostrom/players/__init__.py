"""Players: champions, simulated subjects, models and people, and players that repeat the answers of a record."""
