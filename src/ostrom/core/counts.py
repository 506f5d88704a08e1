"""Numbers of things in words."""


def number_of(number: int, what: str) -> str:
    """How many there are, as '1 game' or '1,200 games'."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
