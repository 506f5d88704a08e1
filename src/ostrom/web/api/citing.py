"""Citations of leaderboards, experiments and games, with the commands that make the same again."""

from collections.abc import Collection, Sequence

from fastapi import APIRouter, Request, Response

from ostrom.analysis.citation import Citation, CitedExperiment, cite
from ostrom.analysis.provenance import IMPORTED
from ostrom.analysis.study import NothingLeft, Study, SubjectStudy
from ostrom.core.game import Game as AnyGame
from ostrom.core.plugins import GAMES
from ostrom.findings.keeping import StoredSimulation
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.results import FinishedGame
from ostrom.journal.schema import SIMULATION
from ostrom.players.roster import built_in_names
from ostrom.web.api.experiments import Experiment
from ostrom.web.api.games import Game, title_of
from ostrom.web.api.studies import AnyFilters, Filters, choose, find_study
from ostrom.web.api.tables import select_subjects
from ostrom.web.replies import Shape, reply, service_of
from ostrom.web.service import Service


class CitedFact(Shape):
    """A fact of a citation: the version, the seeds, the digest of the data, or the source of imported games."""

    title: str
    text: str


class CitedCommand(Shape):
    """A command with its purpose."""

    purpose: str
    command: str


class CitationReply(Shape):
    """A citation, and the commands that make the same again."""

    text: str
    """The citation in one line."""
    bibtex: str
    facts: list[CitedFact]
    commands: list[CitedCommand]


def citation_of_study(service: Service, filters: Filters) -> CitationReply:
    """Return the citation of the leaderboard and the charts of the selected games."""
    study = find_study(service, filters.kind)
    try:
        if isinstance(study, SubjectStudy):
            selected = select_subjects(service, study, filters.experiments, filters.pool)
            ids = {game for games in selected.games.values() for game in games}
        else:
            ids = set(choose(service, filters).tables.games["game"])
    except NothingLeft:
        ids = set()
    results = [one for one in service.journal.ended.results(study.records) if one.id in ids]
    rows = _rows(service, {one.experiment for one in results})
    game = study.game if isinstance(study, Study) else None
    return _reply(
        cite(study.title, _public(results, rows), _cited(service, rows), players=_players(game, results), game=game)
    )


def citation_of_experiment(service: Service, experiment: str) -> CitationReply:
    """Return the citation of an experiment."""
    (row,) = _rows(service, {experiment})
    names = sorted({name for _, name, _ in service.journal.ended.states(experiment)})
    results = service.journal.ended.results(names, experiment)
    simulation = StoredSimulation.of(service.journal, experiment) if row.kind == SIMULATION else None
    what = "" if simulation is None or results else str(simulation.description.get("title", "simulation"))
    game = GAMES.get(results[0].game) if results else None
    titles = [title_of(name) for name in names]
    title = titles[0] if len(titles) == 1 else "Ostrom"
    cited = cite(
        title, _public(results, [row]), _cited(service, [row]), players=_players(game, results), game=game, what=what
    )
    return _reply(cited)


def citation_of_game(service: Service, name: str) -> CitationReply:
    """Return the citation of one game, by its id or its key."""
    header = service.journal.pages.game(name)
    head = header.row
    result = service.journal.ended.result_of(head.game, head.id)
    (origin,) = (one for one in service.journal.ended.experiment_heads() if one["id"] == head.experiment)
    # Other games of the experiment that are not over share the seed, and the header then has none.
    is_secret = header.seed is None and origin["kind"] != IMPORTED
    results = [] if result is None else [_without_secrets(result) if is_secret else result]
    settings = {} if is_secret else service.journal.settings(head.experiment)
    cited = CitedExperiment(head.experiment, origin["name"], origin["kind"], origin["created"], settings)
    game = GAMES.get(head.game)
    players = _players(game, results)
    return _reply(cite(title_of(head.game), results, [cited], players=players, game=game, moment=head.id))


def _rows(service: Service, ids: Collection[str]) -> list[ExperimentRow]:
    return [row for row in service.journal.pages.experiments() if row.id in ids]


def _public(results: Sequence[FinishedGame], rows: Sequence[ExperimentRow]) -> list[FinishedGame]:
    """Return results without the secrets of experiments with games that are not over."""
    secret = {row.id for row in rows if row.state == "unfinished"}
    return [_without_secrets(one) if one.experiment in secret else one for one in results]


def _without_secrets(result: FinishedGame) -> FinishedGame:
    """Return a result without seed and rules, which other games of the experiment share. They are left out of digests
    too, since a digest of few unknown values can be inverted."""
    return result._replace(seed=None, rules="{}")


def _cited(service: Service, rows: Sequence[ExperimentRow]) -> list[CitedExperiment]:
    cited = []
    for row in rows:
        settings = {} if row.state == "unfinished" else row.settings
        simulation = StoredSimulation.of(service.journal, row.id) if row.kind == SIMULATION else None
        seed = None if simulation is None else simulation.description.get("seed")
        seed_text = None if seed is None else str(seed)
        cited.append(CitedExperiment(row.id, row.name, row.kind, row.created, settings, seed_text))
    return cited


def _players(game: AnyGame | None, results: Sequence[FinishedGame]) -> list[str]:
    """Return the built-in players of these games. Only these can be named in a command on any machine."""
    if game is None:
        return []
    known = set(built_in_names(game.name))
    return sorted({player for one in results for player in one.players} & known)


def _reply(citation: Citation) -> CitationReply:
    return CitationReply(
        text=citation.text,
        bibtex=citation.bibtex,
        facts=[CitedFact(title=title, text=text) for title, text in citation.facts],
        commands=[CitedCommand(purpose=one.purpose, command=one.command) for one in citation.commands],
    )


router = APIRouter(tags=["citations"])


@router.get("/citation", response_model=CitationReply)
async def citation(request: Request, filters: AnyFilters) -> Response:
    """Return the citation of the leaderboard and the charts of the selected games, and the commands that make the same
    again."""
    return await reply(request, citation_of_study, filters)


@router.get("/experiments/{experiment}/citation", response_model=CitationReply)
async def experiment(request: Request, experiment: Experiment) -> Response:
    """Return the citation of an experiment, and the commands that run the same again."""
    id_ = await service_of(request).experiment_id(experiment)
    return await reply(request, citation_of_experiment, id_)


@router.get("/games/{game}/citation", response_model=CitationReply)
async def game(request: Request, game: Game) -> Response:
    """Return the citation of a game, and the commands that tell, draw and play such games."""
    return await reply(request, citation_of_game, game)
