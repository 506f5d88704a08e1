"""The rules of a game in sentences: how they differ from the game's defaults, or from the rules of other games."""

import json
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from ostrom.core.text import digest_of

MAX_INLINE_SETTING: Final = 24
"""The largest number of characters of a setting that is shown in full. Longer values are shown as a digest."""
MAX_LISTED_RULES: Final = 3


def changed_rules(model: type[BaseModel], rules: Mapping[str, Any]) -> str:
    """Return the rules by their differences from the game's defaults. The text is empty if there are no defaults."""
    try:
        defaults = model.model_validate({}).model_dump(mode="json")
    except ValidationError:
        return ""
    changed = [
        f"{name.replace('_', ' ')} {_rule_value(rules.get(name))}"
        for name in defaults
        if rules.get(name) != defaults[name]
    ]
    return f"{_listed(changed)}, all others as by default" if changed else "the game's defaults"


def rule_differences(rules: Mapping[str, Any], others: Mapping[str, Any]) -> str:
    """Return a description of how the second rules differ from the first."""
    return _listed(
        [
            f"{name.replace('_', ' ')} {_rule_value(others.get(name))} in place of {_rule_value(rules.get(name))}"
            for name in dict.fromkeys([*rules, *others])
            if rules.get(name) != others.get(name)
        ]
    )


def short_value(value: Any) -> str:
    """Return a value as text. Long values are shown as a digest."""
    word = {True: "on", False: "off", None: "none"}.get(value) if value is None or type(value) is bool else None
    text = word or _as_text(value)
    return text if len(text) <= MAX_INLINE_SETTING and text.isprintable() else digest_of(text)[:6]


def _listed(parts: list[str]) -> str:
    more = f" and {len(parts) - MAX_LISTED_RULES} more" if len(parts) > MAX_LISTED_RULES else ""
    return ", ".join(parts[:MAX_LISTED_RULES]) + more


def _rule_value(value: Any) -> str:
    """Return the value of a rule as text. Long values are shown by their beginning and a digest."""
    text = _as_text(value)
    if len(text) <= MAX_INLINE_SETTING or not text.isprintable():
        return short_value(value)
    return f"{text[:MAX_INLINE_SETTING]}… ({short_value(value)})"


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
