"""Providers of bots. This module builds a bot's model in pydantic-ai and finds its key. If these settings are wrong, it
raises an error of one line before any game."""

import importlib
import inspect
import os
import re
from collections.abc import Callable
from importlib.metadata import metadata
from typing import TYPE_CHECKING, Any, get_args

from ostrom.core import InputError
from ostrom.core.text import one_line
from ostrom.players.models.bots import Bot
from ostrom.players.models.keys import check_key, check_line
from ostrom.players.models.local.weights import find_weights, is_local

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.models import Model
    from pydantic_ai.providers import Provider

_NO_KEY = "none"
"""The key for servers that need no key, because the client library requires one."""


def build_model(bot: Bot, client: "AsyncClient") -> "Model":
    """Return the bot's model. It makes no retries of its own, and uses `client` if the provider supports that."""
    model = _served(bot, client) if bot.base_url is not None else _provided(bot, client)
    # The run retries, counts and records calls. So the client must not retry.
    own = getattr(getattr(model, "provider", None), "client", None)
    if hasattr(own, "max_retries"):
        own.max_retries = 0  # type: ignore[union-attr]
    return model


def has_retries_of_its_own(model: "Model") -> bool:
    """Return whether retries must be disabled in each call because the client has no setting for it."""
    client = getattr(getattr(model, "provider", None), "client", None)
    return not hasattr(client, "max_retries") and "max_retries" not in model.unsupported_settings


def model_name(bot: Bot) -> str:
    """Return the provider's name for the bot's model."""
    provider, colon, name = bot.model.partition(":")
    # A server's own name may contain a colon, as in llama3:8b. Only a provider's prefix is removed.
    served = provider in ("openai", "openai-chat") if bot.base_url is not None else bool(colon)
    return name if served and name else bot.model


def need_package() -> None:
    """Raise `InputError` if the client libraries are not installed."""
    try:
        importlib.import_module("pydantic_ai.models.openai")
    except ImportError as error:
        raise InputError(f"a model cannot play: {one_line(str(error), 200)}; pip install 'ostrom[models]'") from None


def _served(bot: Bot, client: "AsyncClient") -> "Model":
    """Return a model on an OpenAI-compatible server at an address of the user."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    from ostrom.players.models.transport import send_plainly

    assert bot.base_url is not None
    key = key_of(bot)
    if bot.key_env is not None:
        check_key(bot_label(bot), bot.key_env, bot.base_url)
    provider = OpenAICompatibleProvider(
        "server",
        base_url=bot.base_url,
        api_key=key or _NO_KEY,
        http_client=client,
        # Such servers know the older name of the token limit. They are assumed to support a schema if the bot's form
        # uses one.
        profile=OpenAIModelProfile(
            supports_json_schema_output=True, supports_tools=True, openai_chat_supports_max_completion_tokens=False
        ),
    )
    # The client library reads these values, which are meant for OpenAI, from the environment. Other servers must not
    # get them.
    provider.client.organization = None
    provider.client.project = None
    provider.client._custom_headers = {}
    send_plainly(provider.client)
    return OpenAIChatModel(model_name(bot), provider=provider)


def _provided(bot: Bot, client: "AsyncClient") -> "Model":
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model

    provider, _, name = bot.model.partition(":")
    if not name:
        raise InputError(
            f"{bot_label(bot)}: {bot.model!r} names no provider; write provider:model, as in openai:gpt-5-mini, "
            "or give a base_url"
        )
    try:
        model = infer_model(bot.model, provider_factory=lambda prefix: _provider(bot, prefix, client))
        _check_host(bot, model)
        return model
    except InputError:
        raise
    except ImportError as error:
        raise InputError(f"{bot_label(bot)}: {_install(provider, str(error))}") from None
    except (UserError, ValueError) as error:
        raise InputError(f"{bot_label(bot)}: {_reason(bot, str(error))}") from None
    except Exception as error:  # Each provider's library has different errors for missing settings.
        raise InputError(f"{bot_label(bot)}: {one_line(f'{type(error).__name__}: {error}', 300)}") from None


def _check_host(bot: Bot, model: "Model") -> None:
    """Check the host that gets the key. The key of a provider's own variable is sent to the host that the provider's
    library uses; a file cannot change this host. Any other key is sent only to hosts that the user has allowed. No key
    is sent to another machine without encryption."""
    if bot.key_env is None:
        if model.base_url and model.base_url.startswith("http:"):
            check_line(bot_label(bot), "the provider's variable", model.base_url)
    elif model.base_url is None:
        raise InputError(f"{bot_label(bot)}: {model.system} reads its key from its own variable; leave out key_env")
    else:
        check_key(bot_label(bot), bot.key_env, model.base_url)


def _provider(bot: Bot, prefix: str, client: "AsyncClient") -> "Provider[Any]":
    from pydantic_ai.providers import infer_provider, infer_provider_class

    if prefix.startswith("gateway/"):
        return infer_provider(prefix)
    try:
        provider_class: Callable[..., Provider[Any]] = infer_provider_class(prefix)
    except ValueError:
        raise InputError(f"{bot_label(bot)}: there is no provider {prefix!r}; {_nearest(prefix)}") from None
    accepted = inspect.signature(provider_class).parameters
    options: dict[str, Any] = {}
    if "http_client" in accepted and re.search("httpx2|HTTPClient", str(accepted["http_client"].annotation)):
        options["http_client"] = client
    key = key_of(bot)
    if key is not None:
        if "api_key" not in accepted:
            raise InputError(f"{bot_label(bot)}: {prefix} has no single key; leave out key_env")
        options["api_key"] = key
    return provider_class(**options)


def key_of(bot: Bot) -> str | None:
    """Return the key in the environment variable that the bot's file names. Raise `InputError` if the variable is not
    set."""
    if bot.key_env is None:
        return None
    key = os.environ.get(bot.key_env)
    if not key:
        raise InputError(f"{bot_label(bot)}: the environment variable {bot.key_env} is not set; it must hold the key")
    return key


def bot_label(bot: Bot) -> str:
    """Return the name of a bot or a model for error messages."""
    return f"the model {bot.model}" if bot.name == bot.model else f"the bot {bot.name} ({bot.model})"


def _nearest(prefix: str) -> str:
    import difflib

    from pydantic_ai.models import KnownModelName

    known = sorted({name.partition(":")[0] for name in get_args(KnownModelName.__value__) if ":" in name})
    matches = difflib.get_close_matches(prefix, known, n=3, cutoff=0.5)
    names = [name for name in known if not name.startswith("gateway/")]
    return f"did you mean {' or '.join(matches)}?" if matches else f"there are {', '.join(names)} and others"


def _reason(bot: Bot, text: str) -> str:
    """Return the reason of a provider's error. If the error is about a key, the reason is in our own words, and
    otherwise in the provider's."""
    variables = re.findall(r"`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`", text)
    if variables:
        what = "no key: " if any(name.endswith(("KEY", "TOKEN")) for name in variables) else ""
        return f"{what}set the environment variable {' or '.join(dict.fromkeys(variables))}"
    return one_line(text.split(" To try Pydantic AI")[0], 300)


def lacking(bot: Bot) -> str | None:
    """Return what must be installed for the bot's model, or None if nothing is missing. Keys are not checked."""
    try:
        if is_local(bot.model):
            find_weights(bot.model)
            return None
        need_package()
        from pydantic_ai.providers import infer_provider_class

        if bot.base_url is None:
            infer_provider_class(bot.model.partition(":")[0])
    except InputError as error:
        return str(error)
    except ImportError as error:
        return _install(bot.model.partition(":")[0], str(error))
    except ValueError:
        return f"there is no provider {bot.model.partition(':')[0]!r}"
    return None


def _install(provider: str, text: str) -> str:
    extra = re.search(r"pydantic-ai-slim\[([\w-]+)\]", text)
    own_extra = extra is not None and extra[1] in (metadata("ostrom").get_all("Provides-Extra") or ())
    command = (
        f"pip install '{'ostrom' if own_extra else 'pydantic-ai-slim'}[{extra[1]}]'" if extra else one_line(text, 200)
    )
    return f"the provider {provider} needs a package that is not installed: {command}"
