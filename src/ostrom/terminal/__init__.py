"""What commands are made of: options from settings and rules, sheets that fit the terminal, progress, the console."""
