"""What the answers of a subject say about it: scores with their intervals, or the reason why there is none."""
