"""The commands of markets."""
