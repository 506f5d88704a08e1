"""Champions that answer what the others gave. Before the first turn everybody stands as having given everything, so
all of them open with full cooperation."""

from typing import NamedTuple

from ostrom.players.champions.base import Memory, RowChampion
from ostrom.players.champions.rows import RowView
from ostrom.table.arrays import Array, below, units


class TitForTat(RowChampion):
    """Gives what the median of the others gave in the last turn."""

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """The others' median."""
        return view.others_median, memory


class GenerousTFT(RowChampion):
    """Gives what the median of the others gave in the last turn, and never less than 0.2."""

    least = 0.2

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """The others' median, or the least it gives."""
        return view.xp.maximum(view.others_median, self.least), memory


class _Grudge(NamedTuple):
    """What Rancunier holds against its table."""

    grudge: Array
    playing: Array | None
    """Who was in the game when it last moved: one who was voted out in that turn still gave in it."""


class Rancunier(RowChampion):
    """Gives everything until any other ever gave less than 0.3, then nothing for good."""

    betrayal = 0.3

    def opening(self, view: RowView) -> Memory:
        """No grudge yet."""
        return _Grudge(view.contribution < 0.0, view.present)

    def remember(self, view: RowView, memory: Memory) -> Memory:
        """A grudge is never dropped."""
        betrayed = view.others_lowest(memory.playing) < self.betrayal
        return _Grudge(memory.grudge | betrayed, view.present)

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Nothing to a table that it bears a grudge."""
        return view.xp.where(memory.grudge, 0.0, view.constant(1.0)), memory


class MajorityDetector(RowChampion):
    """Gives everything if more than half of the others gave at least 0.5 in the last turn, else nothing."""

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """With the majority."""
        return view.xp.astype(2 * view.others_generous > view.others, view.contribution.dtype), memory


class _Probe(NamedTuple):
    """What Detective found out."""

    before: Array
    """The others' median in turn 2, in which it gave nothing."""
    reacted: Array
    """Whether their median of turn 3 was lower."""


class Detective(RowChampion):
    """Probes with 1, 0, 1, 1; if the others' median in turn 3 was below that of turn 2 it plays TitForTat from then
    on, else it exploits them with 0."""

    def opening(self, view: RowView) -> Memory:
        """Nothing found out yet."""
        return _Probe(before=view.constant(0.0), reacted=view.contribution < 0.0)

    def remember(self, view: RowView, memory: Memory) -> Memory:
        """The median of turn 2 is seen in turn 3, that of turn 3 in turn 4."""
        xp = view.xp
        return _Probe(
            before=xp.where(view.turn == 3, view.others_median, memory.before),
            reacted=xp.where(view.turn == 4, units(view.others_median) < units(memory.before), memory.reacted),
        )

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """The probe, then what it taught."""
        xp = view.xp
        learnt = xp.where(memory.reacted, view.others_median, 0.0)
        probe = xp.where(view.turn == 2, 0.0, view.constant(1.0))
        return xp.where(view.turn <= 4, probe, learnt), memory


class _Account(NamedTuple):
    """Where Gradual stands between offence and peace."""

    defections: Array
    """How many defections counted so far."""
    punishing: Array
    """Turns of punishment still to come."""
    peace: Array
    """Turns of peace still to come after those."""
    busy: Array
    """Whether the last turn was one of punishment or of peace, in which a defection does not count."""


class Gradual(RowChampion):
    """Gives everything; at the n-th defection of the others (a median below 0.5) it punishes with n turns of 0, then
    makes peace with 2 turns of 1. Defections during punishment and peace do not count."""

    defection = 0.5
    peace_turns = 2

    def opening(self, view: RowView) -> Memory:
        """At peace with everybody."""
        none = view.constant(0.0)
        return _Account(defections=none, punishing=none, peace=none, busy=none > 0.0)

    def remember(self, view: RowView, memory: Memory) -> Memory:
        """Count a defection, and draw up the punishment."""
        xp = view.xp
        offence = below(view.others_median, self.defection) & ~memory.busy
        defections = memory.defections + offence
        return _Account(
            defections=defections,
            punishing=xp.where(offence, defections, memory.punishing),
            peace=xp.where(offence, float(self.peace_turns), memory.peace),
            busy=memory.busy,
        )

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Nothing while it punishes."""
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
