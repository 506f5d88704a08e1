"""What the documentation's site is made of besides the pages in docs/: the reference of commands, rules, names, events
and configuration, made from the code; notebooks and examples; and the project's own pages. MkDocs calls the hooks."""

import inspect
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import nbformat
import typer
from jupyter_client.manager import AsyncKernelManager
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from nbclient import NotebookClient
from pydantic import BaseModel

import ostrom
from contract_page import contract_page
from ostrom.cli.main import app
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.settings import describe_rules
from ostrom.core.text import attribute_docstrings
from ostrom.experiment.described import DescribedExperiment, DescribedGame
from ostrom.experiment.limits import Allowance, Limits
from ostrom.players.models.bots import Bot, Price

EXECUTE: Final = "DOCS_EXECUTE"
"""The environment variable by which notebooks are executed: 1."""
TRAINS: Final = ("train_a_policy.ipynb",)
"""Notebooks that take minutes, and are shown as they are kept."""
ROOT: Final = Path(__file__).resolve().parents[1]
PROJECT: Final = {"security.md": "SECURITY.md", "contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
VARIABLES: Final = {
    "OSTROM_STORE": "The journal that commands use where `--store` names none: a URL or the path of a file.",
    "OSTROM_STORE_WAIT": "Seconds that a run waits for a journal that is out of reach.",
    "OSTROM_BOTS": "A folder with the files of bots, besides `bots/`.",
    "OSTROM_PEOPLE": "The folder with the files of learned people, NAME.people.json; by default the current folder.",
    "OSTROM_PLUGINS": "Files with games and players, as `--plugin` takes them, separated as in PATH.",
    "OSTROM_TOKEN": "The password of the pages that `ostrom serve` shows to others.",
    "OSTROM_PAGES": "Another folder of built pages.",
    "OSTROM_DATA": "Where foreign data lies that tests and studies read.",
    "OSTROM_LOCAL_PARALLEL": "How many prompts llama.cpp computes together in this process; 1 by default.",
}
VALUES: Final = {
    "CHAMPIONS": "The champions of the Commons by name; a mapping that refuses a second entry of one name.",
    "GAMES": "Every game that is installed, by the name that records call it.",
}
"""What public names are that are neither functions nor classes."""
_EXAMPLES: Final = ("volunteers.py", "lost_wallet.py", "my_players.py", "my_champions.py")
_PACKAGES: Final = ("ostrom-harvest", "ostrom-offers")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Leave out of the navigation what is not there."""
    known = {*generated(), *(f"notebooks/{path.name}" for path in notebooks())}
    config.nav = _there(config.nav or [], {*known, *_written()})
    return config


@event_priority(100)  # before notebooks are looked for
def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    for name, text in generated().items():
        files.append(File.generated(config, name, content=text))
    for path in notebooks():
        shown = executed(path) if os.environ.get(EXECUTE) == "1" and path.name not in TRAINS else path
        place = {"src_dir": str(shown.parents[1]), "dest_dir": config.site_dir, "use_directory_urls": False}
        files.append(File(f"notebooks/{path.name}", **place))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """Leave nothing behind of notebooks that were executed, nor a page for hosts whose links lead to their root."""
    (Path(config.site_dir) / "404.html").unlink(missing_ok=True)
    shutil.rmtree(_folder(), ignore_errors=True)
    _folder.cache_clear()


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="ostrom-docs-"))


def executed(path: Path) -> Path:
    """A copy of a notebook with its results, which version control does not keep; journals that it writes go again."""
    notebook = nbformat.read(path, 4)
    work, made = _folder() / path.stem, _folder() / "notebooks" / path.name
    work.mkdir()
    made.parent.mkdir(exist_ok=True)
    # Over files of this machine, not over TCP.
    kernel = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=str(_folder() / "kernel"))
    NotebookClient(notebook, km=kernel, timeout=600, resources={"metadata": {"path": str(work)}}).execute(
        cleanup_kc=True
    )
    nbformat.write(notebook, made)
    return made


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to files of the project lead to their pages."""
    up = "../" * page.file.src_uri.count("/")
    targets = {f"{name}": f"{up}{page_}" for page_, name in PROJECT.items()}
    targets |= {f"examples/{name}": f"{up}examples/{Path(name).stem}.md" for name in _EXAMPLES}
    targets |= {f"examples/{name}/README.md": f"{up}examples/{name}.md" for name in _PACKAGES}
    targets |= {f"{name}/README.md": f"{up}examples/{name}.md" for name in _PACKAGES}
    targets["README.md"] = f"{up}index.md"
    targets["examples/notebooks/README.md"] = f"{up}notebooks/index.md"
    targets |= {f"examples/notebooks/{path.name}": f"{up}notebooks/{path.name}" for path in notebooks()}
    # A page of the project names those in docs/ from where it lies.
    targets |= {f"docs/{name}": f"{up}{name}" for name in _written()}

    def led(found: re.Match[str]) -> str:
        path, _, anchor = found[1].partition("#")
        target = targets.get(re.sub(r"^(\.\./)+", "", path))
        return found[0] if target is None else f"]({target}{'#' if anchor else ''}{anchor})"

    # A block that bears the name of its file: the site has another way to say so.
    markdown = re.sub(r"^```(\w+) ([\w./-]+)$", r'```\1 title="\2"', markdown, flags=re.MULTILINE)
    return re.sub(r"\]\((?!http)([^)\s]+)\)", led, markdown)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Let the page load nothing from elsewhere."""
    return re.sub(r'<script[^>]*\bsrc="https?://[^"]*"[^>]*>\s*</script>', "", output)


def _there(entries: list[Any], known: set[str]) -> list[Any]:
    kept: list[Any] = []
    for entry in entries:
        title, target = next(iter(entry.items())) if isinstance(entry, dict) else ("", entry)
        if isinstance(target, list):
            inside = _there(target, known)
            kept += [{title: inside}] if inside else []
        elif target in known:
            kept.append(entry)
    return kept


def _written() -> list[str]:
    docs = ROOT / "docs"
    return [path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.md"))]


def notebooks() -> list[Path]:
    """The notebooks that are shown."""
    return sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


@cache
def generated() -> Mapping[str, str]:
    """Every page that is made, by its name."""
    pages = {
        "reference/commands.md": commands_page(),
        "reference/rules.md": rules_page(),
        "reference/api.md": api_page(),
        "reference/contract.md": contract_page(),
        "reference/events.md": events_page(),
        "reference/configuration.md": configuration_page(),
        "notebooks/index.md": (ROOT / "examples/notebooks/README.md").read_text(encoding="utf-8"),
    }
    for name in _PACKAGES:
        pages[f"examples/{name}.md"] = (ROOT / "examples" / name / "README.md").read_text(encoding="utf-8")
    for name in _EXAMPLES:
        code = (ROOT / "examples" / name).read_text(encoding="utf-8")
        pages[f"examples/{Path(name).stem}.md"] = f"# examples/{name}\n\n```python\n{code}```\n"
    return pages | {page: (ROOT / name).read_text(encoding="utf-8") for page, name in PROJECT.items()}


def _cell(text: object) -> str:
    return re.sub(r"\s+", " ", str(text)).replace("|", "\\|").replace("<", "&lt;").replace("\\[", "[").strip()


def _table(heads: list[str], rows: list[list[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *([_cell(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def commands_page() -> str:
    """Every command with its arguments and options, as its help has them."""
    group = typer.main.get_command(app)
    context = group.make_context("ostrom", ["doctor"], resilient_parsing=True)
    text = ["# Commands\n\n`ostrom COMMAND --help` shows the same. Every command takes `--plugin FILE.py`."]
    text.append("Options that set rules are those of the [game](rules.md), as in `ostrom run commons --turns 20`.\n")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        text.append(f"## ostrom {name}\n\n{inspect.cleandoc(command.help or '')}\n")
        rows: list[list[object]] = []
        for one in command.params:
            if getattr(one, "hidden", False) or "--plugin" in one.opts:
                continue
            metavar = one.metavar or ""
            said = metavar or one.opts[0].upper() if one.param_type_name == "argument" else ", ".join(one.opts)
            value = "" if one.param_type_name == "argument" or not metavar else f" {metavar}"
            rows.append([f"`{said}{value}`".replace("|", "\\|"), getattr(one, "help", None) or ""])
        text.append(_table(["", "meaning"], rows) if rows else "")
    return "\n".join(text)


def _games() -> Iterator[Game]:
    yield from sorted(GAMES.values(), key=lambda game: (game.instrument, game.command))


def rules_page() -> str:
    """The rules of every game, with defaults, ranges and meanings."""
    text = ["# Rules of every game\n\nEach rule is an option of the same name: `--turns 20`, `--no-lobbying`."]
    text.append("`ostrom list rules GAME` shows the same; a plugin's game has its own.\n")
    for game in _games():
        rows: list[list[object]] = [
            [f"`{rule.name.replace('_', '-')}`", f"`{_default(rule.default)}`", rule.range or rule.kind, rule.meaning]
            for rule in describe_rules(game.rules)
        ]
        text.append(f"## {game.title} (`{game.command}`)\n\n{game.summary}\n")
        text.append(_table(["rule", "default", "range", "meaning"], rows) if rows else "It has no rules.\n")
    return "\n".join(text)


def _default(value: object) -> str:
    return "none" if value is None else {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def places() -> dict[str, str]:
    """Where each public name of the library is defined."""
    return {
        name: f"{ostrom._MODULES[name]}.{ostrom._OTHER_NAMES.get(name, name)}"
        for name in ostrom.__all__
        if name in ostrom._MODULES
    }


def api_page() -> str:
    """Every public name of the library, from its docstring."""
    text = ["# Python\n\nEverything that `import ostrom` offers; begin with `play`, `bench` and `open`.\n"]
    text.append("| name | what it is |\n|---|---|")
    names = places()
    text += [f"| [`ostrom.{name}`](#{name.lower()}_) | {_cell(_first(name))} |" for name in sorted(names)]
    for name, place in sorted(names.items()):
        text.append(f"\n## ostrom.{name} {{ #{name.lower()}_ }}\n\n{_entry(name, place)}")
    return "\n".join(text)


def _first(name: str) -> str:
    """The first sentence of what a name says of itself."""
    found = getattr(ostrom, name)
    words = inspect.getdoc(found) if callable(found) else VALUES[name]
    return re.split(r"(?<=[.])\s|::", (words or "").strip())[0]


def _entry(name: str, place: str) -> str:
    found = getattr(ostrom, name)
    if not callable(found):
        return f"{_first(name)}\n"
    if inspect.isfunction(found) and hasattr(found, "__signature__"):
        # Made from a verb: there is no source to read it from.
        return f"```python\nostrom.{name}{inspect.signature(found)}\n```\n\n{inspect.getdoc(found)}\n"
    home = f"{found.__module__}.{found.__qualname__}"
    return f"::: {home}\n"


def events_page() -> str:
    """Every event of every game with its fields."""
    text = ["# Events\n\nWhat happens in a game is kept as events, small records with a tag and fields."]
    text.append("[record.md](../record.md) says how they lie in a file. Seats are counted from 0.\n")
    for game in _games():
        text.append(f"## {game.title} (`{game.command}`)\n")
        for tag, event in _events(game):
            fields: list[list[object]] = [
                [f"`{name}`", f"`{_type(field.annotation)}`", _said(event, name)]
                for name, field in event.model_fields.items()
                if name not in ("event", "tag", "version")
            ]
            text.append(f"### `{tag}` {{ #{game.command}-{tag} }}\n\n{inspect.getdoc(event) or ''}\n")
            text.append(_table(["field", "type", "meaning"], fields) if fields else "")
    return "\n".join(text)


def _events(game: Game) -> Iterator[tuple[str, type[BaseModel]]]:
    for tag in game.events:
        yield tag, game.events[tag]


def _type(annotation: Any) -> str:
    return (
        annotation.__name__ if isinstance(annotation, type) and not hasattr(annotation, "__args__") else str(annotation)
    ).replace("typing.", "")


def configuration_page() -> str:
    """Environment variables, and the fields of every file that is read."""
    text = ["# Configuration\n\n## Environment variables\n"]
    text.append(_table(["variable", "meaning"], [[f"`{name}`", meaning] for name, meaning in VARIABLES.items()]))
    text.append(
        "Keys of providers are read from the variables that their providers use; see [models.md](../models.md).\n"
    )
    parts = {
        "Files of bots": (Bot, "bots/NAME.json; [models.md](../models.md) shows one."),
        "Prices": (Price, "The field `price` of a bot."),
        "Files of experiments": (
            DescribedExperiment,
            "TOML for `ostrom bench --file`; [experiments.md](../experiments.md) shows one.",
        ),
        "Games of an experiment": (DescribedGame, "Each `[[games]]` of such a file."),
        "Limits": (Limits, "The table `[limits]` of such a file, and the options of `bench`."),
        "Limits of a game or a player": (Allowance, "What `game` and `player` of the limits hold."),
    }
    for title, (model, where) in parts.items():
        text.append(f"## {title}\n\n{where}\n")
        text.append(_table(["field", "default", "meaning"], [_field(model, name) for name in model.model_fields]))
    return "\n".join(text)


def _field(model: type[BaseModel], name: str) -> list[object]:
    field = model.model_fields[name]
    default = "required" if field.is_required() else f"`{_default(field.get_default(call_default_factory=True))}`"
    return [f"`{name}`", default, _said(model, name)]


def _said(model: type[BaseModel], name: str) -> str:
    """What a field says of itself: its description, and what stands below it in the source."""
    words = [model.model_fields[name].description or "", attribute_docstrings(model).get(name, "")]
    return " ".join(filter(None, words))
