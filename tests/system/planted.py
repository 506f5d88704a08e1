"""Secrets that are planted where a user keeps them, and a search for them in all that came of it."""

import html
import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

PLAIN_KEY = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYplanted0="
ODD_KEY = "sesame\"open\\er&<of>the%41house~planted'"
STORE_PASSWORD = "the/store+word@planted:77"
OTHER_KEY = "ghp_PlantedPlantedPlanted0123456789abcd"
READERS_TOKEN = "readers-Planted-41f0c2b9d8e7-token"
PLANTED = {
    "PLAIN_ENTRY": PLAIN_KEY,
    "ODD_ENTRY": ODD_KEY,
    "GITHUB_TOKEN": OTHER_KEY,
    "PGPASSWORD": STORE_PASSWORD,
    "OSTROM_TOKEN": READERS_TOKEN,
}
"""The environment of the user. The first two are named like no keys; they go to the provider, and to nobody else."""


def forms_of(secret: str) -> dict[str, bytes]:
    """A secret as it may be written, by the name of the way."""
    raw = secret.encode()
    found = {
        "itself": raw,
        "hexadecimal": raw.hex().encode(),
        "quoted": quote(secret, safe="").encode(),
        "quoted path": quote(secret).encode(),
        "quoted form": quote_plus(secret).encode(),
        "JSON": json.dumps(secret)[1:-1].encode(),
        "JSON within JSON": json.dumps(json.dumps(secret))[3:-3].encode(),
        "escapes": "".join(f"\\u{ord(each):04x}" for each in secret).encode(),
        "HTML": html.escape(secret).encode(),
        "Python": repr(secret)[1:-1].encode(),
    }
    for before in range(3):
        # The same bytes are written in three ways, by where they begin; the ends also stand for what is beside them.
        for name, encode in (("base64", b64encode), ("base64 of addresses", urlsafe_b64encode)):
            found[f"{name} {before}"] = encode(b"x" * before + raw).rstrip(b"=")[(before * 8 + 5) // 6 : -1]
    return found


class Search:
    """Everything that came of a run, by where it was found; what is put in is looked through at once."""

    def __init__(self, secrets: dict[str, str]) -> None:
        self._forms = {(name, way): form for name, secret in secrets.items() for way, form in forms_of(secret).items()}
        self.found: list[str] = []
        self.places = 0
        self.bytes = 0

    def also(self, name: str, secret: str) -> None:
        """Search for one more from now on."""
        self._forms |= {(name, way): form for way, form in forms_of(secret).items()}

    def look(self, where: object, content: str | bytes, but: tuple[str, ...] = ()) -> None:
        """Search a text, for all secrets but some."""
        raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        self.places += 1
        self.bytes += len(raw)
        for (name, way), form in self._forms.items():
            if name not in but and form in raw:
                place = raw.index(form)
                around = raw[max(0, place - 60) : place + len(form) + 20]
                self.found.append(f"{name} ({way}) in {where}: {around!r}")

    def folder(self, folder: Path, but: tuple[Path, ...] = ()) -> None:
        """Search every file, raw."""
        for path in files_in(folder):
            if path not in but:
                self.look(path, path.read_bytes())
                self.look(f"the name of {path}", path.name)


def files_in(folder: Path) -> Iterator[Path]:
    """All plain files."""
    return (path for path in sorted(folder.rglob("*")) if path.is_file())
