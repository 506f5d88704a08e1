"""What people call the models whose logs hold only short ids. The pairs follow from the mean final tokens of the logs
and of the published table, which agree to the cent."""

from collections.abc import Mapping
from typing import Final

from ostrom.analysis.played import Played

PGG_BENCH: Final[Mapping[str, str]] = {
    "chatgpt-4o-latest": "GPT-4o Feb 2025",
    "claude-3-7-sonnet-20250219": "Claude 3.7 Sonnet",
    "claude-3-7-sonnet-20250219-thinking": "Claude 3.7 Sonnet Thinking 16K",
    "deepseek-fireworks": "DeepSeek-V3",
    "gemini-2.5-pro-exp-03-25": "Gemini 2.5 Pro Exp 03-25",
    "gemini_20_flash": "Gemini 2.0 Flash",
    "gemini_20_flash_thinking_exp_0121": "Gemini 2.0 Flash Thinking",
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


def names_of(tables: Played) -> Mapping[str, str]:
    """What to call the players: imported games hold short ids of models, games of our own hold names."""
    return {} if tables.games["source"].null_count() else PGG_BENCH
