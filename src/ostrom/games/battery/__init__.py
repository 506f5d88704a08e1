"""The economic battery, with one file for each task. Every task can be asked as stated choices: independent items for a
single subject. A task with two or more roles can also be played as a game between seats."""
