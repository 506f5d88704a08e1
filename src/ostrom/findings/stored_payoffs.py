"""Payoff tables of experiments: what the games in a journal paid their players."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ostrom.analysis.pooling import Pooling, pools_of
from ostrom.analysis.selection import result_tables, study_tables
from ostrom.analysis.study import Study, most_first
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError
from ostrom.findings.payoff_sources import Source
from ostrom.journal.open import open_journal
from ostrom.sim.payoffs import PayoffTable


def of_experiment(name: str, store: str | None = None, players: Sequence[str] = ()) -> Source:
    """What the games of an experiment paid, of these players or of all; models' games as well as others'."""
    with open_journal(store) as journal:
        over = journal.ended.states(name)
        studies = most_first(Counter(game for _, game, state in over if state == "finished"), journal)
        study = next((one for one in studies if isinstance(one, Study)), None)
        if study is None:
            raise InputError(f"the experiment {name} has no finished games with payoffs")
        results = journal.ended.results(study.records, name)
        pool = pools_of(study.game, results, journal.ended.settings(), Pooling(single=True))[0]
        plain = all(result.finals is not None for result in pool.results)
        tables = result_tables(study, pool.results) if plain else study_tables(journal, study, pool.results)
        tables = pool.applied(tables)
    sign = 1.0 if study.game.better == "higher" else -1.0
    return Source(of_tables(tables, players, sign), f"{study.title}: {name}", study.game.unit)


def of_tables(tables: GameTables, players: Sequence[str] = (), sign: float = 1.0) -> PayoffTable:
    """The payoff table of games as tidy tables; games in which others sat, or some seat has no final, are passed
    over."""
    names = list(players) or sorted(set(tables.seats["player"]))
    place = {name: number for number, name in enumerate(names)}
    missing = [name for name in names if name not in set(tables.seats["player"])]
    if missing:
        raise InputError(f"{missing[0]} holds no seat in these games; those who do are {', '.join(sorted(place))}")
    games = [
        rows.sort("seat")
        for _, rows in tables.seats.group_by("game", maintain_order=True)
        if all(name in place for name in rows["player"]) and not rows["final"].null_count()
    ]
    if not games:
        raise InputError(f"there is no game of {', '.join(names)} alone")
    seats, _ = Counter(len(rows) for rows in games).most_common(1)[0]
    games = [rows for rows in games if len(rows) == seats]
    seating = np.asarray([[place[name] for name in rows["player"]] for rows in games]).T
    paid = sign * np.asarray([rows["final"].to_list() for rows in games], dtype=np.float64).T
    return PayoffTable.of_games(names, seats, seating, paid)
