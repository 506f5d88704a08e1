"""Written strategies: code that a model or a stranger wrote, played in a process without rights."""

from ostrom.players.written.player import FAMILY, entry_of_code, plain_question, written
from ostrom.players.written.sandbox import IMPORTABLE, Sandbox, SandboxLimits, StrategyError, check_platform

__all__ = [
    "FAMILY",
    "IMPORTABLE",
    "Sandbox",
    "SandboxLimits",
    "StrategyError",
    "check_platform",
    "entry_of_code",
    "plain_question",
    "written",
]
