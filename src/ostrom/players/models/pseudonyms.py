"""What the seats of a game are called where their numbers would say too much: names of trees and plants, drawn anew for
each game from its chance. All seats of a game know each other by the same names."""

from functools import lru_cache

from ostrom.core import Chance, GameChance, seats

NAMES = (
    *("Acacia", "Alder", "Almond", "Poppy", "Ash", "Aspen", "Bamboo", "Beech"),
    *("Birch", "Bramble", "Briar", "Cedar", "Cherry", "Chestnut", "Clover", "Cypress"),
    *("Dogwood", "Elder", "Elm", "Fennel", "Fern", "Fig", "Fir", "Hawthorn"),
    *("Hazel", "Heather", "Hemlock", "Hickory", "Holly", "Hornbeam", "Ivy", "Jasmine"),
    *("Juniper", "Larch", "Laurel", "Lavender", "Lilac", "Linden", "Lotus", "Magnolia"),
    *("Mallow", "Maple", "Peony", "Mulberry", "Myrtle", "Nettle", "Oak", "Olive"),
    *("Primrose", "Pear", "Pine", "Plane", "Poplar", "Quince", "Reed", "Rowan"),
    *("Rush", "Saffron", "Sorrel", "Spruce", "Tamarisk", "Thistle", "Thyme", "Walnut"),
    *("Willow", "Yarrow", "Yew", "Zinnia"),
)
"""None of them is, or holds, the name of a champion, a player, a bot or a model."""
PURPOSE = "pseudonyms"
"""The purpose of the draw."""


def pseudonyms(chance: Chance, count: int) -> tuple[str, ...]:
    """A name for each of `count` seats, by index. Where there are more seats than names, they go on with numbers."""
    return _drawn(chance, count) if isinstance(chance, GameChance) else _draw(chance, count)


def _draw(chance: Chance, count: int) -> tuple[str, ...]:
    rounds = -(-count // len(NAMES))
    pool = [name if again == 1 else f"{name} {again}" for again in range(1, rounds + 1) for name in NAMES]
    order = chance.order(seats(len(pool)), PURPOSE, 0)
    return tuple(pool[place.index] for place in order[:count])


_drawn = lru_cache(maxsize=4096)(_draw)
