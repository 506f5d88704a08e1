"""Import paths of the first version that its docs named. They still import, with a warning that names the new path."""

import importlib
import importlib.machinery
import importlib.util
import sys
import warnings
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

MOVED: Final = {
    "ostrom.games.registry": "ostrom.core.game",
    "ostrom.lab": "ostrom.experiment",
    "ostrom.lab.auditing": "ostrom.games.audit.commands.plan",
    "ostrom.lab.battery": "ostrom.games.battery.commands.plan",
    "ostrom.lab.experiments": "ostrom.experiment.store",
    "ostrom.players.champions": "ostrom.games.commons.players",
    "ostrom.players.llm": "ostrom.players.models",
    "ostrom.players.llm.framing": "ostrom.players.models.framing",
    "ostrom.players.llm.prompting": "ostrom.players.models.prompting",
    "ostrom.study": "ostrom.analysis",
    "ostrom.study.audit": "ostrom.games.audit.effects",
    "ostrom.study.ratings": "ostrom.analysis.ratings",
    "ostrom.study.standing": "ostrom.analysis.standing",
    "ostrom.table": "ostrom.core",
    "ostrom.testing.biased": "ostrom.games.audit.biased",
}
"""Where each has gone."""


class _Finder:
    """Finds the modules of old by their new names."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module under its old name, where it is one of those that moved."""
        loader: Any = _Loader()
        return importlib.util.spec_from_loader(name, loader, is_package=True) if name in MOVED else None


class _Loader:
    # Not a subclass of importlib.abc.Loader: that module takes longer to import than all the rest of this package.
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """A plain module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Fill it with what its successor has."""
        new = MOVED[module.__name__]
        warnings.warn(f"{module.__name__} is now {new}", DeprecationWarning, stacklevel=2)
        successor = importlib.import_module(new)
        names = {name for name in dir(successor) if not name.startswith("__")}
        module.__dict__.update({name: getattr(successor, name) for name in names})


def install() -> None:
    """Let imports of old paths find the new ones."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
