"""The sixteen champions of the Commons, in the order in which they are listed. Importing this module registers them."""

from typing import ClassVar, NamedTuple

from typing_extensions import override

from ostrom.core.arrays import Array, at_least, below, round_values, total, units
from ostrom.games.commons.champion import CHAMPIONS, Champion, Context, RowChampion, register_champion
from ostrom.games.commons.rules import NO_SEAT, erosion_of
from ostrom.games.commons.step import RowView
from ostrom.players.strategy import Memory

__all__ = ["CHAMPIONS", "Champion", "Context", "RowChampion", "register_champion"]


class _Steady(RowChampion):
    """Gives the same fraction in every turn, and spends the same part of its capital on α."""

    gives: ClassVar[float]
    spends: ClassVar[float] = 0.0
    """The part of its capital that it spends on α. Positive values move α toward equal shares, negative ones toward
    proportional shares."""

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        return view.constant(self.gives), memory

    @override
    def lobby(self, view: RowView, memory: Memory) -> Array:
        return self.spends * view.capital


@register_champion
class AlwaysCoop(_Steady):
    """Gives everything in every turn."""

    gives = 1.0


@register_champion
class AlwaysBetray(_Steady):
    """Gives nothing in any turn."""

    gives = 0.0


@register_champion
class TitForTat(RowChampion):
    """Gives what the median of the others gave in the last turn."""

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        return view.others_median, memory


@register_champion
class GenerousTFT(RowChampion):
    """Gives what the median of the others gave in the last turn, and never less than 0.2."""

    least = 0.2

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        return view.xp.maximum(view.others_median, self.least), memory


class _Grudge(NamedTuple):
    """The memory of Rancunier."""

    grudge: Array
    playing: Array | None
    """The seats that were in the game at its last move. They include a seat that was excluded in that turn, since this
    seat still gave."""


@register_champion
class Rancunier(RowChampion):
    """Gives everything until any other seat has given less than 0.3, and nothing from then on."""

    betrayal = 0.3

    @override
    def opening(self, view: RowView) -> Memory:
        return _Grudge(view.contribution < 0.0, view.present)

    @override
    def remember(self, view: RowView, memory: Memory) -> Memory:
        betrayed = view.others_lowest(memory.playing) < self.betrayal
        return _Grudge(memory.grudge | betrayed, view.present)

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        return view.xp.where(memory.grudge, 0.0, view.constant(1.0)), memory


@register_champion
class Pavlov(RowChampion):
    """Repeats its last contribution c if its last gain was at least the endowment, and otherwise gives 1 − c."""

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        won = at_least(view.gain, view.rules.endowment)
        return view.xp.where(won, view.contribution, 1.0 - view.contribution), memory


@register_champion
class RandomPlayer(RowChampion):
    """Gives a random fraction in every turn, with equal probability for all fractions."""

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        return view.draw(), memory


class _Probe(NamedTuple):
    """The memory of Detective."""

    before: Array
    """The others' median in turn 2, in which the champion gave nothing."""
    reacted: Array
    """True if the others' median in turn 3 was lower."""


@register_champion
class Detective(RowChampion):
    """Probes with 1, 0, 1, 1, then plays TitForTat if the others' median in turn 3 was below that of turn 2, and
    otherwise exploits them with 0."""

    @override
    def opening(self, view: RowView) -> Memory:
        return _Probe(before=view.constant(0.0), reacted=view.contribution < 0.0)

    @override
    def remember(self, view: RowView, memory: Memory) -> Memory:
        # The median of turn 2 is known only in turn 3, and the median of turn 3 only in turn 4.
        xp = view.xp
        return _Probe(
            before=xp.where(view.turn == 3, view.others_median, memory.before),
            reacted=xp.where(view.turn == 4, units(view.others_median) < units(memory.before), memory.reacted),
        )

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        xp = view.xp
        learnt = xp.where(memory.reacted, view.others_median, 0.0)
        probe = xp.where(view.turn == 2, 0.0, view.constant(1.0))
        return xp.where(view.turn <= 4, probe, learnt), memory


class _Account(NamedTuple):
    """The memory of Gradual."""

    defections: Array
    """The number of counted defections."""
    punishing: Array
    """The number of turns of punishment that are left."""
    peace: Array
    """The number of turns of peace that are left after the punishment."""
    busy: Array
    """True if the last turn was a turn of punishment or peace. A defection in such a turn does not count."""


@register_champion
class Gradual(RowChampion):
    """Gives everything, but answers the n-th defection of the others (a median below 0.5) with a punishment of n turns
    of 0, followed by 2 turns of 1 to make peace. Defections during punishment and peace do not count."""

    defection = 0.5
    peace_turns = 2

    @override
    def opening(self, view: RowView) -> Memory:
        none = view.constant(0.0)
        return _Account(defections=none, punishing=none, peace=none, busy=none > 0.0)

    @override
    def remember(self, view: RowView, memory: Memory) -> Memory:
        xp = view.xp
        offence = below(view.others_median, self.defection) & ~memory.busy
        defections = memory.defections + offence
        return _Account(
            defections=defections,
            punishing=xp.where(offence, defections, memory.punishing),
            peace=xp.where(offence, float(self.peace_turns), memory.peace),
            busy=memory.busy,
        )

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        xp = view.xp
        punishes = memory.punishing > 0.0
        pacifies = ~punishes & (memory.peace > 0.0)
        after = _Account(
            defections=memory.defections,
            punishing=memory.punishing - punishes,
            peace=memory.peace - pacifies,
            busy=punishes | pacifies,
        )
        return xp.where(punishes, 0.0, view.constant(1.0)), after


@register_champion
class MajorityDetector(RowChampion):
    """Gives everything if more than half of the others gave at least 0.5 in the last turn, and otherwise nothing."""

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        return view.xp.astype(2 * view.others_generous > view.others, view.contribution.dtype), memory


@register_champion
class Capitaliste(_Steady):
    """Gives 0.9, and spends 5 % of its capital a turn to move α toward 0, which makes contributions pay."""

    lobbies, gives, spends = True, 0.9, -0.05


@register_champion
class Parasite(_Steady):
    """Gives nothing, and spends 5 % of its capital a turn to move α toward 1, which gives it an equal share."""

    lobbies, gives, spends = True, 0.0, 0.05


@register_champion
class Pragmatique(RowChampion):
    """Gives 0 if α is above 0.7, 1 if α is below 0.3 and a linear function of α between, and spends 3 % of its capital
    a turn on lobbying for the rule that suits its contribution. This rule is equal shares if it gave less than the
    mean, and proportional ones if it gave more."""

    lobbies = True

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        # This is (0.7 − α)/0.4 in a form that is exact at one half in floating point.
        return view.xp.clip((7.0 - 10.0 * view.alpha) / 4.0, 0.0, 1.0), memory

    @override
    def lobby(self, view: RowView, memory: Memory) -> Array:
        return view.xp.sign(units(view.mean) - units(view.contribution)) * (0.03 * view.capital)


LEVELS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
WINDOW = 10
EXPLORATION = 0.15
_NONE = -1


class _Experience(NamedTuple):
    """The memory of Apprenant."""

    level: Array
    """The index of its last level."""
    levels: tuple[Array, ...]
    """The levels chosen in the last 10 turns, from the oldest turn to the latest. The level is `_NONE` for turns before
    the first."""
    gains: tuple[Array, ...]
    """The gains of these turns."""
    values: tuple[Array, ...]
    """For each level, the mean of its gains within the window. If the level does not occur in the window, it is its
    last mean."""


@register_champion
class Apprenant(RowChampion):
    """Learns as an ε-greedy bandit which of the levels 0, 0.2, … 1 pays best. It first tries every level once, from 1
    down to 0. Then it explores in 15 % of turns, and otherwise gives the level that paid best within the last 10 turns.
    A level that does not occur in these turns keeps its last mean. Ties go to the higher level."""

    @override
    def opening(self, view: RowView) -> Memory:
        none = view.xp.astype(view.constant(_NONE), view.xp.int8)
        return _Experience(
            level=none,
            levels=(none,) * WINDOW,
            gains=(view.constant(0.0),) * WINDOW,
            values=(view.constant(0.0),) * len(LEVELS),
        )

    @override
    def remember(self, view: RowView, memory: Memory) -> Memory:
        # The values of two levels change: that of the turn that enters the window, and that of the turn that leaves it.
        xp = view.xp
        levels = (*memory.levels[1:], memory.level)
        gains = (*memory.gains[1:], view.gain)
        values = list(memory.values)
        for changed in (memory.levels[0], memory.level):
            hits = [past == changed for past in levels]
            times = total([xp.astype(hit, xp.int8) for hit in hits])
            earned = total([xp.where(hit, gain, 0.0) for hit, gain in zip(hits, gains, strict=True)])
            mean = round_values(earned / xp.maximum(times, xp.ones_like(times)))
            updated = xp.where(times > 0, changed, xp.asarray(_NONE, dtype=xp.int8))
            values = [xp.where(updated == level, mean, value) for level, value in enumerate(values)]
        return _Experience(level=memory.level, levels=levels, gains=gains, values=tuple(values))

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        xp = view.xp
        best, best_value = view.constant(0.0), memory.values[0]
        for level, value in enumerate(memory.values[1:], start=1):
            best = xp.where(value >= best_value, float(level), best)
            best_value = xp.maximum(value, best_value)
        draw = view.draw()
        # One draw has two uses. If it is below ε, the champion explores. In this case, the draw is uniform between 0
        # and ε and also selects the level.
        random_level = xp.minimum(xp.floor(draw * (len(LEVELS) / EXPLORATION)), float(len(LEVELS) - 1))
        learnt = xp.where(draw < EXPLORATION, random_level, best)
        level = xp.where(view.turn <= len(LEVELS), view.constant(0.0) + (len(LEVELS) - view.turn), learnt)
        return level / 5.0, memory._replace(level=xp.astype(level, xp.int8))


class _Recent(NamedTuple):
    """The contributions of all seats in recent turns, (seats, rows)."""

    before_last: Array
    last: Array
    now: Array


@register_champion
class Justicier(_Steady):
    """Gives everything, and votes against the other seat with the lowest mean contribution over the last 3 turns, if
    this mean is below 0.3. Ties go to the lower capital, then to the lower seat number."""

    votes, gives = True, 1.0
    tolerated = 0.3

    @override
    def opening(self, view: RowView) -> Memory:
        nothing = 0.0 * view.contributions
        return _Recent(nothing, nothing, nothing)

    @override
    def remember(self, view: RowView, memory: Memory) -> Memory:
        return _Recent(memory.last, memory.now, view.contributions)

    @override
    def vote(self, view: RowView, memory: Memory) -> Array:
        # There is no vote in the first turn, since no seat has contributed yet.
        xp = view.xp
        turns = xp.clip(view.constant(0.0) + (view.turn - 1.0), 1.0, 3.0)
        means = units((memory.before_last + memory.last + memory.now) / turns)
        capitals = units(view.capitals)
        worst = units(view.constant(self.tolerated))
        poorest = view.constant(0.0)
        target = xp.astype(poorest, xp.int16) + xp.asarray(NO_SEAT, dtype=xp.int16)
        for seat in range(means.shape[0]):
            mean, capital = means[seat], capitals[seat]
            worse = (mean < worst) | ((mean == worst) & (capital < poorest) & (target != NO_SEAT))
            worse = worse & (view.seat != seat)
            if view.present is not None:
                worse = worse & view.present[seat]
            worst, poorest = xp.where(worse, mean, worst), xp.where(worse, capital, poorest)
            target = xp.where(worse, xp.asarray(seat, dtype=xp.int16), target)
        return xp.where(view.turn > 1, target, xp.asarray(NO_SEAT, dtype=xp.int16))


@register_champion
class Opportuniste(RowChampion):
    """Adapts to synergy and context: gives everything if the return of a unit given, S·(α/N + 1 − α), is at least the
    worth of a unit kept after erosion, and otherwise nothing. In the first turn it gives everything."""

    @override
    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        xp = view.xp
        worth = view.synergy * (view.alpha / (view.others + 1) + (1.0 - view.alpha))
        pays = units(worth) >= units(erosion_of(view.synergy, view.rules))
        return xp.where(pays | (view.turn <= 1), view.constant(1.0), 0.0), memory
