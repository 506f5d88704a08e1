"""Parts that commands share: options from settings and rules, tables that fit the terminal, progress, and the
console."""
