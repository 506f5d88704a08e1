"""Parts of commands: options from settings and rules, sheets that fit the terminal, progress, the console."""
