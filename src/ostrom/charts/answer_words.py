"""How far the answers are the players' own, in words: what the game gave in a player's place, what came only after a
refusal, and what nobody knows."""

from ostrom.charts.families import Cast
from ostrom.study.played import Played, answers_by_player

_NAMED = 6
"""So many players are named with their shares; the tables hold all."""


def answers_sentence(tables: Played) -> str:
    """How many answers the game gave in a player's place, and how many are unknown; of all seats, also of those that
    were left out for it."""
    answers, imported, defaulted, repaired = (
        int(tables.asked[name].sum()) for name in ("answers", "imported", "defaulted", "repaired")
    )
    own = answers - imported
    told = []
    if own:
        also = " (seats left out are counted here)" if tables.left_out.by else ""
        told.append(
            f"Of {own:,} answers, {defaulted:,} ({100 * defaulted / own:.2f}%) were defaulted, given by the game in a "
            f"player's place, and {repaired:,} ({100 * repaired / own:.2f}%) were legal only after a refusal{also}."
        )
    if imported:
        told.append(
            f"{imported:,} answers were read from others' logs, which do not say whether any was defaulted or repaired."
        )
    return " ".join(told)


def answers_by_player_sentence(tables: Played, cast: Cast) -> str:
    """Whose answers were defaulted or repaired, and what part of them; nothing where nobody's were."""
    found = answers_by_player(tables)
    told = []
    for word, parts in (
        ("Defaulted", {player: one.defaulted_share for player, one in found.items()}),
        ("Repaired", {player: one.repaired_share for player, one in found.items()}),
    ):
        some = sorted(((part, player) for player, part in parts.items() if part), key=lambda one: (-one[0], one[1]))
        if some:
            named = ", ".join(f"{cast.label(player)} {100 * part:.1f}%" for part, player in some[:_NAMED])
            more = f" and {len(some) - _NAMED} more" if len(some) > _NAMED else ""
            told.append(f"{word}, as a part of a player's own answers: {named}{more}.")
    return " ".join(told)
