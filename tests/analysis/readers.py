"""Readings by scripted judges, stored in a journal as by a run."""

from ostrom.core import GameChance, Provenance
from ostrom.core.spoken import lines_of
from ostrom.experiment import play_match, record_of
from ostrom.games.judge.promises import PROMISES
from ostrom.games.judge.quotes import QUOTES
from ostrom.journal.sql import Journal
from ostrom.testing import ScriptedJudge


class Library:
    """A journal with games that were played and readings of them."""

    def __init__(self, folder):
        self.journal = Journal.open(f"sqlite:///{folder}/readings.db", create=True)
        self.experiments = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.journal.close()

    def played(self, *records, name="games"):
        """Keep games; their ids."""
        experiment = self.journal.new_experiment(name, kind="punish")
        for number, record in enumerate(records):
            self.journal.add_game(experiment, record, key=str(number))
        return [row.id for row in self.journal.games(experiment)]

    def read(self, kind, game, script, judge="judge", defaulted=(), **settings):
        """Let a judge read one game; the turns in `defaulted` are marked so."""
        rules = kind.rules(source=game, lines=lines_of(self.journal.record(game).events), **settings)
        record = record_of(play_match(kind, rules, [ScriptedJudge(script, judge)], GameChance(0)))
        answers = [
            one.model_copy(update={"provenance": Provenance.DEFAULTED}) if one.turn in defaulted else one
            for one in record.answers
        ]
        if (kind.name, judge) not in self.experiments:
            self.experiments[kind.name, judge] = self.journal.new_experiment(f"{kind.name} {judge}", kind=kind.command)
        self.journal.add_game(
            self.experiments[kind.name, judge], record.model_copy(update={"answers": answers}), key=game
        )

    def picks(self, game, ratings, **settings):
        """A judge of quotes that picks lines by their numbers."""

        def script(question):
            there = [line.number for line in question.view.lines]
            return [
                {"line": line, "rating": rating, "reason": "why"} for line, rating in ratings.items() if line in there
            ]

        self.read(QUOTES, game, script, **settings)

    def judges(self, game, promise, **settings):
        """A judge of promises that says what a function of the text says; 'silent' for no answer."""

        def script(question):
            found = [{"line": line.number, "promise": promise(line.text)} for line in question.view.lines]
            return [] if any(one["promise"] == "silent" for one in found) else found

        self.read(PROMISES, game, script, **settings)
