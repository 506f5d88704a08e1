"""Words that the project does without: comments, docstrings, texts and pages are read, names in code are not."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "ostrom"
UNWANTED = re.compile(
    r"\b(nobody|somebody|whoever|whomever|so many|of whom|likewise|as ever|hangs on|what becomes of)\b", re.IGNORECASE
)
HINT = re.compile(r"nobody|somebody|who(?:m)?ever|many|whom|likewise|ever\b|hangs|becomes", re.IGNORECASE)
"""A word of every unwanted phrase. A file of Python without any is not parsed, which takes most of the time."""
TEXTS = (".j2", ".html", ".css", ".toml", ".txt")
SCRIPTS = (".ts", ".svelte")
ALLOWED: dict[tuple[str, str], str] = {
    ("src/ostrom/core/promises.py", "whoever"): "a word of messages that the rule for promises reads",
    ("src/ostrom/games/contribute_punish/players.py", "whoever"): "a message of a strategy, which is a move",
    ("src/ostrom/experiment/session/words/en.toml", "nobody"): "the name of an answer in a message to the person",
    ("frontend/src/lib/english.ts", "nobody"): "the name of an answer in a message to the person",
    ("frontend/src/pages/seat/seat.test.ts", "nobody"): "the name of an answer on a button",
}
"""Words that a file may have, and why."""


def prose_of_python(text: str) -> Iterator[tuple[int, str]]:
    """Comments, and strings of any kind, each with its line. Comments on neighbouring lines are one text."""
    comments: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.append((token.start[0], token.string.lstrip("# ")))
    start, lines = 0, list[str]()
    for line, comment in comments:
        if lines and line != start + len(lines):
            yield start, "\n".join(lines)
            lines = []
        if not lines:
            start = line
        lines.append(comment)
    yield start, "\n".join(lines)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not UNWANTED.fullmatch(node.value):
            yield node.lineno, node.value  # a word alone is a value of an answer


def prose_of_page(text: str) -> Iterator[tuple[int, str]]:
    """A page in Markdown without its blocks of code; lines keep their numbers."""
    yield 1, re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)


def prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """The text of a file by line, as far as it is read by people."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        if HINT.search(text) is None:
            return
        yield from prose_of_python(text)
    elif path.suffix == ".md":
        yield from prose_of_page(text)
    elif path.suffix in SCRIPTS:
        # A comment that goes on in the next line begins there with a sign of its own; a quoted word is a value.
        yield 1, re.sub(r"\n[ \t]*(?://|\*) ?|([\"'`])\w+\1", "\n", text)
    elif path.suffix in TEXTS:
        yield 1, text


def unwanted(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of unwanted words, and the words."""
    for line, text in prose_of(path):
        folded = re.sub(r"\s", lambda space: "\n" if space[0] == "\n" else " ", text)
        for match in UNWANTED.finditer(re.sub(r" *\n *(?=\S)", " ", folded)):
            yield line, match[0].casefold()


def files() -> Iterator[Path]:
    """The source, the pages and the docs; not what is built."""
    for folder in (SOURCE, ROOT / "frontend" / "src", ROOT / "docs"):
        for path in sorted(folder.rglob("*")):
            built = SOURCE / "web" / "pages" in path.parents or path.name == "schema.d.ts"
            if path.is_file() and path.suffix in (".py", ".md", *TEXTS, *SCRIPTS) and not built:
                yield path
    yield from (ROOT / "README.md", ROOT / "CONTRIBUTING.md")


def test_texts_do_without_unwanted_words() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word}"
        for path in files()
        for line, word in unwanted(path)
        if (path.relative_to(ROOT).as_posix(), word) not in ALLOWED
    ]
    assert not found, "\n".join(found)


def test_the_check_finds_what_it_looks_for(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text('# so\n# many\nnobody = f"{nobody} Likewise"\n"""Of\nwhom."""\n')
    (tmp_path / "two.md").write_text("Whoever reads\n```\nnobody\n```\nas ever\n")
    (tmp_path / "three.ts").write_text("// what becomes\n// of it\n")
    found = {path.name: sorted(word for _, word in unwanted(path)) for path in tmp_path.iterdir()}
    assert found["one.py"] == ["likewise", "of whom", "so many"]
    assert found["two.md"] == ["as ever", "whoever"]
    assert found["three.ts"] == ["what becomes of"]
