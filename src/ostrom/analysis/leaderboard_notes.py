"""The sentences below a leaderboard: what its figures mean, who may be first, and how many pairs differ."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ostrom.analysis.ratings import LEAST_GAMES, Placement, pairs_apart
from ostrom.analysis.ratings.method import RatingMethod
from ostrom.analysis.ratings.methods.payoff import PAYOFF
from ostrom.core.listing import brief
from ostrom.core.text import number_of

if TYPE_CHECKING:
    from ostrom.analysis.leaderboard import RatedPlayer

BASES: Final = {True: "By this rating", False: "By order-free strength"}
"""The comparison on which tiers and ranks are based, by whether it is the rating by the chosen method."""


def pairs_sentence(places: Sequence[Placement], basis: str) -> str:
    """Return a sentence on the number of pairs of players that differ significantly. It is empty if no pair is
    tested."""
    apart, pairs = pairs_apart(places)
    if not pairs:
        return ""
    if not apart:
        return f"{basis}, none of {number_of(pairs, 'pair')} of players is told apart."
    return f"{basis}, {apart:,} of {number_of(pairs, 'pair')} of players {'is' if apart == 1 else 'are'} told apart."


def notes_of(rated: "Sequence[RatedPlayer]", unit: str, method: RatingMethod[Any]) -> list[str]:
    """Return sentences on what the figures of a leaderboard mean."""
    notes = [
        f"{unit.capitalize()}: the player's mean at the end of its games. Players of one tier cannot be told apart "
        "from its leader. The leader of a tier is told apart from the leader of the tier above; other players of "
        "different tiers may not be. Ranks: the possible places of the player, with 95 % confidence for all players at "
        "once."
    ]
    if method is PAYOFF:
        scale = next((player.scale for player in rated if player.scale), "")
        notes.append(f"The rating, in {unit}, is {scale}." if scale else f"The rating is in {unit}.")
    else:
        notes.append(method.meaning or "Only differences of μ are meaningful.")
    if rated and rated[0].effects:
        names = ", ".join(name for name, _ in rated[0].effects)
        notes.append(f"Ratings are adjusted for {names}: they compare players whose seats are equal in these.")
    if any(player.answers.defaulted_share is not None for player in rated):
        notes.append("Defaulted: the share of the player's answers that the game gave in its place; – means unknown.")
    reasons = dict.fromkeys(player.place.apart for player in rated if player.place is not None and player.place.apart)
    notes += [f"Apart: {reason}." for reason in reasons]
    if any(player.provisional for player in rated):
        notes.append(f"Provisional: a player with fewer than {LEAST_GAMES} games, listed after the others.")
    return notes


def verdicts_of(rated: "Sequence[RatedPlayer]", name_of: Callable[[str], str]) -> list[str]:
    """Return sentences about the leaderboard: the players that may be first, the number of pairs of players that differ
    significantly, and the fit of the model."""
    placed = [player for player in rated if player.place is not None and player.place.ranks is not None]
    verdicts = []
    if len(placed) > 1:
        firsts = [name_of(player.rating.name) for player in placed if player.place and player.place.first]
        if firsts:
            verdicts.append(
                f"Possible firsts: {brief(firsts)}; with 95 % confidence, the best player is among them. The ranks "
                "hold for all players at once, and can therefore allow more firsts."
            )
        verdicts.append(pairs_sentence([player.place for player in placed if player.place], BASES[rated[0].own_tiers]))
    if rated and rated[0].model is not None:
        verdicts.append(rated[0].model.sentence)
    return [verdict for verdict in verdicts if verdict]
