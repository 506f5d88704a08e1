"""The command line: one file a command; `main` only assembles them."""
