"""The test provider as a process of its own, as `python -m ostrom.testing.provider` starts it."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

from fork_server import COMMANDS, Copy


@dataclass(frozen=True)
class ProviderProcess:
    """A provider that runs somewhere else."""

    process: Copy
    base_url: str

    def account(self) -> dict[str, Any]:
        """What it was asked and what it sent."""
        return self._get("/_account")

    def prompts(self, reference: str) -> list[dict[str, Any]]:
        """The requests under this id; needs `--keep`."""
        found: list[dict[str, Any]] = self._get(f"/_prompts?id={quote(reference, safe='')}")["requests"]
        return found

    def _get(self, path: str) -> dict[str, Any]:
        with urlopen(self.base_url.removesuffix("/v1") + path) as response:
            found: dict[str, Any] = json.load(response)
            return found


@contextmanager
def provider_process(*options: object) -> Iterator[ProviderProcess]:
    """A provider with these options, e.g. `provider_process("--delay", 0.2)`, until the end of the block."""
    process = COMMANDS.start([*map(str, options)], Path.cwd(), os.environ, module="ostrom.testing.provider")
    try:
        base_url = process.stdout.readline().strip()
        assert base_url, process.stderr.read()
        yield ProviderProcess(process, base_url)
    finally:
        process.terminate()
        process.communicate()
