"""The economic battery: one file a task. A task is asked as stated choices, independent items to one subject; where it
has two or more roles it can also be played between seats."""
