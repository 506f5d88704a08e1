"""The checks of a session file that concern several of its tables: names, rules, players, groups, panel and payment.
Each check adds its mistakes to the draft; parts that are invalid themselves are not checked again."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ostrom.core import InputError
from ostrom.core.game import Game
from ostrom.core.telling import presentation_of
from ostrom.experiment.session.file_draft import SessionDraft, described
from ostrom.experiment.session.file_groups import check_groups
from ostrom.experiment.session.file_parts import NONE, PEOPLE, SessionGame, Treatment
from ostrom.experiment.session.file_rules import MESSAGES, TALK, game_of, rule_problems, rule_settings
from ostrom.experiment.session.words import languages, words_of
from ostrom.players.people.seat import HUMAN
from ostrom.players.roster import contestants_of

PRESET: Final = "preset"


def check_draft(draft: SessionDraft) -> None:
    """Add all mistakes that concern several tables."""
    _check_names(draft)
    _check_joining(draft)
    _check_start(draft)
    _check_consent(draft)
    _check_panel(draft)
    games = dict(_known_games(draft))
    for treatment in draft.treatments:
        _check_treatment(draft, treatment, games)
    for part in draft.games:
        if part.name in games:
            _check_game(draft, part, games[part.name])
    _check_players(draft, games)
    _check_quiz(draft)
    _check_beliefs(draft, games)
    _check_payment(draft)
    check_groups(draft)


def _check_names(draft: SessionDraft) -> None:
    for table, names in draft.names.items():
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                draft.add(f"{table}.{name}", f"there are {names.count(name)} entries of this name; names must differ")
    quiz = [] if draft.quiz is None else [question.name for question in draft.quiz.questions]
    for name in dict.fromkeys(quiz):
        if quiz.count(name) > 1:
            draft.add(
                f"quiz.questions.{name}", f"there are {quiz.count(name)} questions of this name; names must differ"
            )


def _check_joining(draft: SessionDraft) -> None:
    session = draft.session
    if session is None:
        return
    needed = session.participants + session.spare
    if session.join == "labels" and len(session.labels) < needed:
        draft.add(
            "session.labels", f"must list {needed} labels, one for each person who may join; got {len(session.labels)}"
        )
    if session.join != "labels" and session.labels:
        draft.add("session.labels", f'labels need join = "labels", got join = "{session.join}"')
    if len(set(session.labels)) < len(session.labels):
        draft.add("session.labels", "a label is listed twice; labels must differ")
    if session.language not in languages() and "words" not in draft.tables["session"]:
        known = ", ".join(languages())
        draft.add(
            "session.language",
            f'there are no words in {session.language!r}; there are {known}, or set words = "FILE.toml"',
        )


def _check_start(draft: SessionDraft) -> None:
    session = draft.session
    if session is None:
        return
    if session.start == "time" and session.start_at is None:
        draft.add("session.start_at", 'is missing; start = "time" needs it, such as 2026-12-01T10:00:00+01:00')
    if session.start != "time" and session.start_at is not None:
        draft.add("session.start_at", f'needs start = "time", got start = "{session.start}"')


def _check_consent(draft: SessionDraft) -> None:
    traces = draft.recording is not None and draft.recording.traces
    if traces and "consent" not in draft.tables:
        draft.add("recording.traces", "needs the table [consent], whose text says that traces are recorded")
    elif traces and draft.consent is not None and draft.session is not None:
        catalogue = words_of(draft.session.language, draft.session.words)
        expected = [word.strip() for word in catalogue["flags.consent_words"].split(",")]
        text = draft.consent.text.casefold()
        if not any(word.casefold() in text for word in expected):
            draft.add(
                "consent.text",
                f"must say that the way in which answers are written is recorded, since recording.traces is set; it "
                f"has none of the words {', '.join(expected)}",
            )


def _check_panel(draft: SessionDraft) -> None:
    panel = draft.panel
    if panel is None:
        return
    if panel.parameters and panel.participant not in panel.parameters:
        draft.add("panel.participant", f"must be one of panel.parameters, got {panel.participant!r}")
    needed = ["done", "unmatched"]
    if draft.consent is not None and draft.consent.required:
        needed.append("no_consent")
    if draft.quiz is not None and draft.quiz.on_failure == "screen_out":
        needed.append("screened_out")
    missing = [name for name in needed if name not in panel.outcomes]
    if missing:
        draft.add("panel.outcomes", f"needs a code or an address for {', '.join(missing)}")


def _known_games(draft: SessionDraft) -> Iterator[tuple[str, Game]]:
    for part in draft.games:
        try:
            yield part.name, game_of(part)
        except InputError as error:
            draft.add(f"games.{part.name}.game", str(error))


def _check_treatment(draft: SessionDraft, treatment: Treatment, games: Mapping[str, Game]) -> None:
    place = f"treatments.{treatment.name}"
    all_known = len(games) == len(draft.names["games"])
    for name in treatment.rules:
        if all_known and not any(name in game.rules.model_fields for game in games.values()):
            draft.add(f"{place}.rules.{name}", "no game of the session has this rule")
    for setting, rule in (("messages", MESSAGES), ("turns", TALK)):
        offered = any(rule in game.rules.model_fields for game in games.values())
        if getattr(treatment, setting) is not None and all_known and not offered:
            draft.add(f"{place}.{setting}", f"no game of the session has the rule {rule!r}")
    for name in treatment.games:
        if name not in draft.names["games"]:
            draft.add(f"{place}.games.{name}", f"there is no game of this name; {_named(draft, 'games')}")


def _named(draft: SessionDraft, table: str) -> str:
    names = draft.names[table]
    return f"there are {', '.join(names)}" if names else f"the file has no [[{table}]]"


def _check_game(draft: SessionDraft, part: SessionGame, game: Game) -> None:
    place = f"games.{part.name}"
    try:
        game.check_seats(part.group)
    except InputError as error:
        draft.add(f"{place}.group", str(error))
    if part.preset is not None and PRESET not in game.rules.model_fields:
        draft.add(f"{place}.preset", f"{game.command} has no presets; leave it out")
        return
    own = rule_settings(part, None)
    reported = set(_rule_mistakes(game, own, place))
    for problem in sorted(reported):
        draft.add(*problem)
    for treatment in draft.treatments:
        own_place = f"treatments.{treatment.name}"
        changed = set(_rule_mistakes(game, rule_settings(part, treatment), own_place))
        known = {(name.removeprefix(place), text) for name, text in reported}
        for name, text in sorted(changed):
            if (name.removeprefix(own_place), text) not in known:
                draft.add(name, f"in the game {part.name}: {text}")
    if part.practice_rules:
        practice = _rule_mistakes(game, own | part.practice_rules, f"{place}.practice_rules")
        for name, text in practice:
            if (name.replace(".practice_rules.rules", ".rules"), text) not in reported:
                draft.add(name.replace(".practice_rules.rules", ".practice_rules"), text)


def _rule_mistakes(game: Game, settings: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
    for details in rule_problems(game, settings):
        where, text = described("", details, settings, game.rules)
        name = where.removeprefix(".")
        yield (f"{place}.preset" if name == PRESET else f"{place}.rules.{name}".rstrip(".")), text


def _check_players(draft: SessionDraft, games: Mapping[str, Game]) -> None:
    for part in draft.games:
        game = games.get(part.name)
        if game is None:
            continue
        if part.fill:
            _check_player(draft, f"games.{part.name}.fill", game, part.fill)
        for treatment in draft.treatments:
            own = treatment.games.get(part.name)
            if own is not None and own.seats is not None:
                _check_composition(draft, f"treatments.{treatment.name}.games.{part.name}.seats", part, game, own.seats)
            elif treatment.seats is not None:
                _check_composition(draft, f"treatments.{treatment.name}.seats", part, game, treatment.seats)
        if draft.session is not None and draft.session.replace_absent != NONE:
            _check_player(draft, "session.replace_absent", game, draft.session.replace_absent)


def _check_composition(
    draft: SessionDraft, place: str, part: SessionGame, game: Game, seats: Mapping[str, int]
) -> None:
    if sum(seats.values()) != part.group:
        draft.add(
            place, f"has {sum(seats.values())} seats, and games.{part.name}.group is {part.group}; make them equal"
        )
    if not seats.get(PEOPLE):
        draft.add(place, f"must have at least one seat for {PEOPLE}")
    for name in seats:
        if name != PEOPLE:
            _check_player(draft, place, game, name)


def _check_player(draft: SessionDraft, place: str, game: Game, name: str) -> None:
    try:
        seated = contestants_of(game, [name])
    except InputError as error:
        draft.add(place, str(error))
        return
    if len(seated) != 1 or seated[0].name.partition(":")[0] == HUMAN:
        draft.add(place, f"{name!r} must be one player who is not a person: a strategy, a bot or a model")


def _check_quiz(draft: SessionDraft) -> None:
    for question in () if draft.quiz is None else draft.quiz.questions:
        for name in question.treatments:
            if name not in draft.names["treatments"]:
                draft.add(
                    f"quiz.questions.{question.name}.treatments",
                    f"there is no treatment {name!r}; {_named(draft, 'treatments')}",
                )


def _check_beliefs(draft: SessionDraft, games: Mapping[str, Game]) -> None:
    for belief in draft.beliefs:
        place = f"beliefs.{belief.name}"
        if belief.game not in draft.names["games"]:
            draft.add(f"{place}.game", f"there is no game {belief.game!r}; {_named(draft, 'games')}")
        part = next((part for part in draft.games if part.name == belief.game and part.name in games), None)
        known = [] if part is None else _quantities(part)
        if known and belief.quantity not in known:
            draft.add(f"{place}.quantity", f"must be one of {', '.join(known)}, got {belief.quantity!r}")


def _quantities(part: SessionGame) -> list[str]:
    """Return the quantities of seats that the scene of a game has; none if its rules are invalid."""
    game, settings = game_of(part), rule_settings(part, None)
    if rule_problems(game, settings) or part.group > game.seats.most:
        return []
    scene = presentation_of(game).scene(game.rules(**settings), part.group)
    return [name for name, quantity in scene.quantities.items() if quantity.of == "seat"]


def _check_payment(draft: SessionDraft) -> None:
    payment = draft.payment
    if payment is None:
        if any(belief.pay is not None for belief in draft.beliefs) and "payment" not in draft.tables:
            draft.add("beliefs", "a belief is paid, but the file has no table [payment]")
        return
    complete = len(draft.games) == len(draft.names["games"])
    if payment.counts == "one" and complete and not any(part.counts for part in draft.games):
        draft.add("payment.counts", "no game counts; set counts = true in a game")
