"""Who answers: champions, simulated subjects, models, people, and records read back."""
