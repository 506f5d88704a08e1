"""The test provider as a process of its own, as `python -m ostrom.testing.provider` starts it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen


@dataclass(frozen=True)
class ProviderProcess:
    """A provider that runs somewhere else."""

    process: "subprocess.Popen[str]"
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
    command = [sys.executable, "-m", "ostrom.testing.provider", *map(str, options)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            base_url = process.stdout.readline().strip()
            assert base_url, "the provider did not start"
            yield ProviderProcess(process, base_url)
        finally:
            process.terminate()
            process.wait()
