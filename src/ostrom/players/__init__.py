"""The players: champions, simulated subjects, models, people, and records read back."""
