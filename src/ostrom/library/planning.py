"""`ostrom.power`: the number of games, and dollars, that a finding needs, by simulation from the games of a pilot."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from ostrom.analysis.selection import Selection
from ostrom.core.errors import InputError, field
from ostrom.findings.power import PowerSettings, plan_from
from ostrom.journal.open import open_journal
from ostrom.library.playing import AnyPath, store_text
from ostrom.library.results import Results
from ostrom.library.verbs import Result, described_by, result_of, spelled_settings

Pilot: TypeAlias = str | Results
_ARGUMENTS: Final = {"player": "players", "power": "chance", "compare": "pilot", "experiment": "pilot"}
"""The arguments of settings that have another name here."""


@described_by(PowerSettings, _ARGUMENTS)
def power(pilot: Pilot | Sequence[Pilot] | None = None, *, store: AnyPath | None = None, **settings: Any) -> Result:
    """Plan the number of games that a finding needs, from the games of a pilot: an experiment, by its name or as
    `bench` returned it, or two of them, whose difference is planned for. Of a pilot that `where` selected, only these
    games count. The finding is a `difference` in a measure, `between` two players or of two experiments, or intervals
    narrower than a `width`."""
    pilots = [pilot] if pilot is None or isinstance(pilot, str | Results) else list(pilot)
    where, selections = _selections(pilots, store_text(store))
    names = tuple(str(selection.experiment) for selection in selections)
    with spelled_settings(settings, _ARGUMENTS) as given:
        parsed = PowerSettings.of({**given, **({"compare": names} if len(names) == 2 else {})})
        chosen = ("game", "rules", "without_defaulted", "pool")
        changes = {name: getattr(parsed, name) for name in chosen if name in parsed.model_fields_set}
        with open_journal(where) as journal:
            return result_of(plan_from(journal, [one.changed(**changes) for one in selections], parsed))


def _selections(pilots: Sequence[Pilot | None], store: str | None) -> tuple[str | None, list[Selection]]:
    """Return the journal of the pilots, and the games of each."""
    if not 1 <= len(pilots) <= 2:
        raise InputError(f"a pilot is one experiment, or two whose difference is planned for; got {len(pilots)}")
    stores = {pilot.store for pilot in pilots if isinstance(pilot, Results)}
    if stores and store is not None:
        raise InputError(f"the pilot has its journal; leave out {field('store')}")
    if len(stores) > 1 or (stores and any(not isinstance(pilot, Results) for pilot in pilots)):
        raise InputError("two pilots must be of one journal: give both as experiments of it, or both by name")
    selections = [pilot.selection if isinstance(pilot, Results) else Selection.select(pilot) for pilot in pilots]
    return next(iter(stores), store), selections
