"""Display names for the short player ids in the logs of imported games. Entry points of the group `ostrom.names` refer
to this module. journal/names.py has the names for ids of providers, which EconBench uses. Every command that shows a
player imports this module, so it imports little itself."""

from collections.abc import Mapping
from typing import Final

from ostrom.journal.names import model_name

PGG_BENCH: Final[Mapping[str, str]] = {
    "chatgpt-4o-latest": "GPT-4o Feb 2025",
    "claude-3-7-sonnet-20250219": "Claude 3.7 Sonnet",
    "claude-3-7-sonnet-20250219-thinking": "Claude 3.7 Sonnet Thinking 16K",
    "deepseek-fireworks": "DeepSeek-V3",
    "gemini-2.5-pro-exp-03-25": "Gemini 2.5 Pro Exp 03-25",
    "gemini_20_flash": "Gemini 2.0 Flash",
    "gemini_20_flash_thinking_exp_0121": "Gemini 2.0 Flash Thinking Exp 01-21",
    "gemini_20_pro_exp": "Gemini 2.0 Pro Exp 02-05",
    "gpt-4.5-preview-2025-02-27": "GPT-4.5 Preview",
    "grok2-12-12": "Grok 2 12-12",
    "llama": "Llama 3.1 405B",
    "llama33_70b": "Llama 3.3 70B",
    "mistral": "Mistral Large 2",
    "o1-2024-12-17": "o1 (medium reasoning)",
    "o3-mini": "o3-mini (medium reasoning)",
    "qwen-max": "Qwen 2.5-Max",
    "qwq_fireworks": "Qwen QwQ-32B 16K",
    "r1-fireworks": "DeepSeek R1",
    "sonnet-20241022": "Claude 3.5 Sonnet 2024-10-22",
}
"""Published model names by short id. Ids and names were matched by mean final tokens, which are equal to the cent in
the logs and in the published table."""

REPEATED_GAMES: Final[Mapping[str, str]] = {
    "act_claude1": "Claude 1",
    "act_claude2": "Claude 2",
    "act_gpt35": "GPT-3.5",
    "act_gpt4": "GPT-4",
    "act_llama2": "Llama 2 70B",
}
"""The names of the models in the paper of Akata and others."""

_AGENTS: Final = {"CoTAgent": "CoT", "IOAgent": "IO"}


def coopeval(player: str) -> str | None:
    """Return the name of a CoopEval player: its model, and whether the model was asked with a chain of thought (CoT)
    or not (IO)."""
    model, _, agent = player.rpartition(" ")
    name = model_name(model)
    return f"{name} {_AGENTS[agent]}" if name is not None and agent in _AGENTS else None
