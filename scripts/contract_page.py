"""The reference of the author's contract: every name that a game may import, by the part of the game that uses it."""

import importlib
import inspect
import re
from typing import Any, Final

CONTRACT: Final[dict[str, tuple[str, dict[str, tuple[str, ...]]]]] = {
    "The declaration": (
        "One value declares a game: its rules, its generator, its events, and import paths of its further parts.",
        {"ostrom.core.game": ("Game", "Seats", "Figure", "Figures", "Situation", "Samples")},
    ),
    "Play": (
        "The generator `play(rules, table)` yields lists of questions, receives lists of answers, and records events. "
        "An event is public as soon as it is recorded, unless it or one of its fields is private or sealed.",
        {
            "ostrom.core.table": ("Play", "Table", "Past"),
            "ostrom.core.questions": ("Seat", "Question", "Answer", "distinct_names"),
            "ostrom.core.events": ("Event", "EventRegistry", "Registry"),
            "ostrom.core.secrecy": ("PrivateTo", "PerSeat", "Sealed"),
            "ostrom.core.chance": ("Chance", "GameChance"),
        },
    ),
    "Specifications of answers": (
        "A question has one specification, which says which answers are legal. Nothing is clipped or guessed.",
        {
            "ostrom.core.specs": (
                "Spec",
                "Value",
                "Amount",
                "Choice",
                "Text",
                "Fields",
                "Several",
                "Aimed",
                "Optional",
                "When",
            )
        },
    ),
    "Strategies": (
        "Players that belong to the game, and players of its users.",
        {
            "ostrom.players.strategy": (
                "strategy",
                "Strategy",
                "RowStrategy",
                "parameter",
                "Memory",
                "Draw",
                "Definition",
                "StrategyEntry",
                "entry_of",
            ),
            "ostrom.games.contribute_punish": ("PunishView",),
        },
    ),
    "Briefing": (
        "The texts that models and people read. Without a briefing, they read the rules' descriptions, the fields of "
        "the view with their docstrings, and the legal answers.",
        {
            "ostrom.players.models.briefing": ("Briefing",),
            "ostrom.players.models.framing": ("Framing", "SHARED_FIRST"),
            "ostrom.players.models.prompting": ("template",),
            "ostrom.core.spoken": ("removed_at_once",),
            "ostrom.players.models.fields": ("AnswerField", "NumberField", "TextField"),
        },
    ),
    "Scene and sentences": (
        "How a game looks in replays, films and pages: a scene declares it, and a teller turns events into sentences "
        "and effects.",
        {
            "ostrom.core.telling": ("Presentation", "Teller", "simple", "transcript_lines"),
            "ostrom.core.effects": (
                "Telling",
                "Set",
                "Transfer",
                "Say",
                "Mark",
                "Middle",
                "Split",
                "sentence",
                "listed",
                "FormParty",
                "FundForm",
            ),
            "ostrom.core.scene": (
                "Scene",
                "Quantity",
                "QuantityField",
                "Card",
                "Centre",
                "Flow",
                "Phase",
                "Strip",
            ),
        },
    ),
    "Tables and measures": (
        "Measures are functions over tidy tables, with intervals over games.",
        {
            "ostrom.analysis.tables": (
                "GameTables",
                "Row",
                "StoredRecords",
                "common_tables",
                "events_of",
                "extended",
                "frame",
                "players_of",
            ),
            "ostrom.analysis.measures": ("GAME", "Measure", "Resampling", "enter", "ratio_of"),
            "ostrom.analysis.intervals": ("Ratio",),
            "ostrom.analysis.study": ("GameMeasures", "study_of_game"),
        },
    ),
    "Charts": (
        "Charts of a game's own measures; a measure without one gets a plain chart.",
        {
            "ostrom.charts.catalogue": ("GameCharts", "Measured"),
            "ostrom.charts.plain": ("plain_picture",),
            "ostrom.charts.forms": ("Picture", "Section", "Bars", "SingleLine"),
            "ostrom.charts.standings": ("LeaderboardColumn",),
            "ostrom.charts.words": ("Unit", "share"),
            "ostrom.charts.palette": ("COLOURS",),
        },
    ),
    "Array form": (
        "The game over arrays, for tournaments of millions of games, sweeps, evolution and best responses.",
        {
            "ostrom.core.step": (
                "ArrayForm",
                "Draws",
                "Field",
                "Moves",
                "OneSeat",
                "Pick",
                "Kernel",
                "DecisionProcess",
                "each_array",
                "stacked",
            ),
            "ostrom.core.arrays": ("Array", "namespace", "ordered", "total", "count", "units"),
            "ostrom.sim.batch": ("Batch",),
            "ostrom.sim.numpy_engine": ("play_batch",),
        },
    ),
    "Tasks of the battery": (
        "A stated task with items, roles, answers and scores; [battery.md](../battery.md) describes the built-in ones.",
        {
            "ostrom.games.battery.stated": ("stated_game",),
            "ostrom.games.battery.rules": (
                "StatedRules",
                "Role",
                "AmountList",
                "ChoiceList",
                "Amounts",
                "Repetitions",
                "parties",
            ),
            "ostrom.games.battery.items": ("Facts", "GridCell", "ItemAnswered"),
            "ostrom.games.battery.dictator": ("GiveFacts",),
            "ostrom.games.battery.ultimatum": ("OfferFacts",),
            "ostrom.games.battery.scores.answers": ("role_answers",),
            "ostrom.games.battery.scores.score": ("score", "SampledScore"),
            "ostrom.games.battery.subjects": ("Division", "Economicus", "parameter"),
        },
    ),
    "Tests": (
        "Check a game, play one, and read its record.",
        {
            "ostrom.testing": ("check_game", "GameFaults"),
            "ostrom.experiment.match": ("Match", "play_match", "record_of"),
            "ostrom.journal.record": ("GameRecord",),
        },
    ),
}
"""By part of a game: a sentence about it, and its names by module."""


def contract_page() -> str:
    """Return the page, in Markdown."""
    text = [
        "# The contract of a game\n\nEvery name that the example games import, by the part of a game that uses it; "
        "[write-a-game.md](../write-a-game.md) leads through them. Names of `ostrom.core` that are listed under "
        "`core.specs`, `core.events` and so on can also be imported from `ostrom.core`.\n"
    ]
    for part, (introduction, modules) in CONTRACT.items():
        text.append(f"## {part}\n\n{introduction}\n")
        for module, names in modules.items():
            text += [_entry(module, name) for name in names]
    return "\n".join(text)


def _entry(module: str, name: str) -> str:
    value = getattr(importlib.import_module(module), name)
    heading = f"### {module}.{name} {{ #{module}.{name}_ }}\n"
    if inspect.isclass(value) or inspect.isfunction(value):
        return f"{heading}\n::: {value.__module__}.{value.__qualname__}\n    options:\n      heading_level: 4\n"
    return f"{heading}\n{text_of_value(module, name)}\n"


def text_of_value(module: str, name: str) -> str:
    """Return the docstring below a type alias or a constant, which no object carries."""
    source = inspect.getsource(importlib.import_module(module))
    match: Any = re.search(rf'^{name}\b[^\n]*(?:\n[ )}}\]][^\n]*)*\n"""(.*?)"""', source, re.MULTILINE | re.DOTALL)
    return re.sub(r"\s+", " ", match[1]) if match else ""
