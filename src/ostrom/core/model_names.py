"""The usual name of a language model from its provider's id: 'openai/gpt-4o-2024-08-06' is GPT-4o. Every word of an id
must be known, so that a bot called 'claude-the-careful' keeps its own name. Providers and release dates are left out;
if two ids have the same name, ids are shown (see journal/names.py)."""

import re
from typing import Final

_PROVIDERS: Final = (
    *("openai", "anthropic", "google", "google-gla", "google-vertex", "groq", "mistral", "mistralai"),
    *("deepseek", "deepseek-ai", "openrouter", "together", "fireworks", "ollama", "azure", "bedrock"),
    *("xai", "x-ai", "cohere", "huggingface", "moonshotai", "moonshot", "meta-llama", "meta", "qwen"),
    *("alibaba", "cerebras", "github", "perplexity", "nebius", "vercel", "microsoft", "z-ai", "minimax"),
    *("amazon", "vllm", "lmstudio"),
)
_FAMILIES: Final = {
    "gpt": "GPT-",
    "chatgpt": "ChatGPT-",
    "claude": "Claude",
    "gemini": "Gemini",
    "gemma": "Gemma",
    "llama": "Llama",
    "mistral": "Mistral",
    "mixtral": "Mixtral",
    "ministral": "Ministral",
    "magistral": "Magistral",
    "codestral": "Codestral",
    "pixtral": "Pixtral",
    "deepseek": "DeepSeek",
    "qwen": "Qwen",
    "qwq": "QwQ",
    "grok": "Grok",
    "command": "Command",
    "phi": "Phi",
    "kimi": "Kimi",
    "glm": "GLM",
    "nova": "Nova",
}
"""By the first word of an id, which a version may follow directly: 'llama3.1'."""
_CAPITALISED: Final = (
    *("pro", "flash", "lite", "turbo", "preview", "exp", "thinking", "instruct", "chat", "large"),
    *("medium", "small", "tiny", "max", "plus", "opus", "sonnet", "haiku", "instant", "reasoner"),
    *("reasoning", "fast", "high", "low", "nemo", "maverick", "scout", "vision", "coder", "next", "base"),
    *("distill", "ultra", "codex", "premier", "micro", "terminus", "experimental"),
)
_WORDS: Final = {
    **{word: word for word in ("mini", "nano")},
    **{word: word.capitalize() for word in _CAPITALISED},
    **{word: word.upper() for word in ("it", "vl", "oss")},
    "r": "R",
}
_NUMBERED: Final = re.compile(r"(?:[vrmke]?\d+(?:\.\d+)?[ok]?|\d+(?:x\d+)?(?:\.\d+)?b|a\d+b|e\d+b|\d{3,4})")
_FAMILY_AND_VERSION: Final = re.compile(r"([a-z]+)(\d+(?:\.\d+)?)?")
_SERIES_O: Final = re.compile(r"o\d(?:-(?:mini|pro|preview))?")
_DAY: Final = re.compile(r"[-_@](?:20\d\d)[-_]?(?:[01]\d)[-_]?(?:[0-3]\d)(?=$|[-_])")
_LATEST: Final = re.compile(r"[-_:](?:latest|free)$")
_MAX_CHARACTERS: Final = 100
"""Longer texts are not ids, and are not matched."""


def model_name(model: str) -> str | None:
    """Return the usual name of the model with this id; None for an unknown id."""
    if len(model) > _MAX_CHARACTERS or not model.isascii():
        return None
    bare = _LATEST.sub("", _DAY.sub("", _without_provider(model.lower())))
    if _SERIES_O.fullmatch(bare):
        return bare
    first, *words = re.split(r"[-_: ]", bare)
    match = _FAMILY_AND_VERSION.fullmatch(first)
    if match is None or match[1] not in _FAMILIES:
        return None
    words = [*([match[2]] if match[2] else []), *words]
    if not words or not all(word in _WORDS or _NUMBERED.fullmatch(word) for word in words):
        return None
    parts = [_WORDS.get(word) or _figure(word) for word in _join_versions(words, match[1])]
    family = _FAMILIES[match[1]]
    return f"{family}{' '.join(parts)}" if family.endswith("-") else " ".join([family, *parts])


def _without_provider(model: str) -> str:
    bare = model.rpartition("/")[2]
    while ":" in bare and bare.partition(":")[0] in _PROVIDERS:
        bare = bare.partition(":")[2]
    return bare


def _join_versions(words: list[str], family: str) -> list[str]:
    """Return the words, with two words that form one version or date joined: Claude's 4-5, Gemini's 03-25."""
    joined: list[str] = []
    for word in words:
        before = joined[-1] if joined else ""
        if family == "claude" and re.fullmatch(r"\d", before) and re.fullmatch(r"\d", word):
            joined[-1] = f"{before}.{word}"
        elif re.fullmatch(r"\d\d", before) and re.fullmatch(r"\d\d", word):
            joined[-1] = f"{before}-{word}"
        elif word == "lite" and before == "flash":
            joined[-1] = "Flash-Lite"
        else:
            joined.append(word)
    return joined


def _figure(word: str) -> str:
    """Return a size or a generation in its usual form: 70B, V3; a version unchanged: 4o."""
    return word.upper().replace("X", "x") if re.fullmatch(r"[vrmke]\d.*|.*b", word) else word
