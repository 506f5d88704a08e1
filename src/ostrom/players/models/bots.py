"""Bots: language models with a personality. Each bot is described by a JSON file, and has the name of this file.

The files are searched first in one folder, and then among the project's own bots. The folder is ./bots, unless the
environment variable OSTROM_BOTS names another one. A file contains no key. It only names the environment variable that
contains the key."""

import json
import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ostrom.core import InputError, Registry, Usage
from ostrom.core.files import MAX_SETTINGS_BYTES, read_bounded_text
from ostrom.core.listing import brief
from ostrom.core.outlets import complain
from ostrom.players.models.keys import address_of, holds_key

Form: TypeAlias = Literal["native", "tool", "prompted", "tags"]
"""The form in which a model answers: by the provider's JSON schema, by a tool call, as JSON that the prompt asks for,
or in tags within plain text."""

Answers: TypeAlias = Literal["text", "logprobs"]
"""Where an answer comes from: the text that a model writes, or the probabilities of the legal answers."""

Effort: TypeAlias = Literal["off", "minimal", "low", "medium", "high"]
Reasoning: TypeAlias = Effort | Annotated[int, Field(ge=1, le=1_000_000)]
"""The reasoning before an answer: a level of effort, or a number of tokens if the provider counts them."""

FOLDER_VARIABLE = "OSTROM_BOTS"
_KEY = re.compile(r"^(sk|pk|rk|gsk|xai|hf|AIza|ghp|key)[-_]|^AIza|^Bearer ", re.IGNORECASE)
_VARIABLE = re.compile(r"^[A-Za-z_][A-Za-z0-9_]{0,99}$")
_NAME = re.compile(r"^\w[\w.-]*$")


class Price(BaseModel):
    """Prices in dollars per million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    input: float = Field(ge=0, le=1_000_000)
    output: float = Field(ge=0, le=1_000_000)
    cache_read: float | None = Field(None, ge=0, le=1_000_000)
    """The price of input that the server reads from its cache. The default is the price of other input."""
    cache_write: float | None = Field(None, ge=0, le=1_000_000)
    """The price of input that the server writes to its cache. The default is the price of other input."""
    batch: float | None = Field(None, gt=0, le=1)
    """The price of a call in a batch as a share of these prices. The default is a half at providers that charge half
    for batches, and otherwise 1."""

    def of(self, usage: Usage) -> float:
        """Return the price of a call's tokens in dollars."""
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        plain = usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens
        dollars = plain * self.input + usage.cache_read_tokens * read + usage.cache_write_tokens * write
        return (dollars + usage.output_tokens * self.output) / 1_000_000


class Bot(BaseModel):
    """A model as a player: its name, its server, its personality and its settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    name: str = Field(min_length=1, max_length=500)
    """The name under which results are listed. For a bot from a file, it is the name of the file."""
    model: str = Field(min_length=1, max_length=500)
    """The name of the model. It is a pydantic-ai model string such as `openai:gpt-5-mini`, or `local:` followed by the
    path or the name of a model that runs in this process. With `base_url`, it is the server's name for the model."""
    personality: str = Field("", max_length=20_000)
    """A text that describes the player to the model. In layout 1 it precedes the rules, in layout 2 the question."""
    temperature: float | None = Field(0.3, ge=0, le=2)
    """The sampling temperature. None means the provider's default."""
    base_url: str | None = None
    """The address of an OpenAI-compatible server, such as http://127.0.0.1:8080/v1."""
    key_env: str | None = None
    """The name of the environment variable that holds the key. The default is the provider's own variable."""
    max_tokens: int = Field(8192, ge=1, le=1_000_000)
    """The largest number of tokens of a reply. It includes reasoning: models that reason need many tokens."""
    form: Form | None = None
    """The form of answers. The default is the best form that the model's provider is known to enforce."""
    grammar: bool = False
    """For the form `tags`: send a grammar, which llama.cpp's server enforces."""
    answers: Answers = "text"
    """The source of answers. With `logprobs`, a choice is drawn from the probabilities that the model gives to the
    legal answers."""
    reasoning: Reasoning | None = None
    """The reasoning before an answer. None means the provider's default."""
    price: Price | None = None
    """The price of the model. The default is that of the public price list, if the list has the model."""
    variant: str = Field("plain", pattern=r"^[a-z][a-z0-9_-]*$")
    """The wording of the prompts."""
    layout: Literal[1, 2] = 2
    """The order of the parts of a prompt. In layout 2, the parts that are the same for all seats come first, so that
    caches can share them."""
    personality_first: bool = False
    """In layout 2: put the personality before the rules. In layout 1 it is always before the rules."""
    conversation: int = Field(24_000, ge=1000, le=10_000_000)
    """The largest number of characters of a conversation. In a longer conversation, the oldest turns are summarised."""

    @field_validator("model")
    @classmethod
    def _model_is_one_word(cls, model: str) -> str:
        if model.split() != [model]:
            raise ValueError("must be one word, as in openai:gpt-5-mini")
        return model

    @field_validator("key_env")
    @classmethod
    def _key_env_is_a_name(cls, key_env: str | None) -> str | None:
        if key_env is not None and (_KEY.match(key_env) or not _VARIABLE.match(key_env)):
            # The error does not repeat the value, because it may be a key.
            raise ValueError("must be the name of an environment variable, as in OPENAI_API_KEY, never a key itself")
        return key_env

    @field_validator("base_url")
    @classmethod
    def _base_url_is_one(cls, base_url: str | None) -> str | None:
        if base_url is None:
            return None
        if any(sign in base_url for sign in "@?#"):
            raise ValueError("must be a plain address with no user, query or fragment; a key belongs in key_env")
        address = address_of(base_url)
        if address is None:
            raise ValueError("must be the address of a server, as in http://127.0.0.1:8080/v1")
        if holds_key(address.path):
            raise ValueError("has what looks like a key in its path; a key belongs in key_env")
        return base_url.rstrip("/")

    @model_validator(mode="after")
    def _settings_agree(self) -> Self:
        if self.base_url is None and "//" in self.model:
            raise ValueError("model: must be provider:model, as in openai:gpt-5-mini; an address belongs in base_url")
        if self.grammar and self.form != "tags":
            raise ValueError('grammar: needs "form": "tags"')
        if self.answers == "logprobs" and self.form not in (None, "tags"):
            raise ValueError('answers: logprobs needs "form": "tags", or none')
        if isinstance(self.reasoning, int) and self.reasoning >= self.max_tokens:
            raise ValueError("reasoning: must be less than max_tokens, which includes the tokens of reasoning")
        return self

    def __repr__(self) -> str:
        values = {name: getattr(self, name) for name in sorted(self.model_fields_set - {"name", "model"})}
        settings = brief((f"{name}={value}" for name, value in values.items()), 600)
        return f"<Bot {brief([self.name])}: {brief([self.model])}{f', {settings}' if settings else ''}>"

    def __str__(self) -> str:
        return repr(self)


def bot_of_model(model: str) -> Bot:
    """Return a bot without personality that has the model's name. Raise `InputError` for an invalid name."""
    try:
        return Bot(name=model, model=model)
    except ValidationError as error:
        raise InputError(f"invalid model {model!r}: {_first(error)}") from None


def load_bot(name_or_path: str | os.PathLike[str]) -> Bot:
    """Return the bot with this name, or with this path ending in .json. Raise `InputError` if it is missing or
    invalid."""
    text = os.fspath(name_or_path)
    if text.endswith(".json"):
        path = Path(text)
        if not path.is_file():
            raise InputError(f"there is no bot file {path}; give the name of a bot or the path of a JSON file")
        return _read(path)
    return _read(bot_files()[text])


def list_bots() -> list[Bot]:
    """Return all available bots, sorted by name. If a file is not readable, print its name on standard error."""
    bots = []
    for _name, path in sorted(bot_files().items()):
        try:
            bots.append(_read(path))
        except InputError as error:
            complain(f"skipped a bot: {error}")
    return bots


def bot_files() -> Registry[Path]:
    """Return the paths of bot files by name. A file in the user's own folder replaces the project's file of the same
    name."""
    files: Registry[Path] = Registry("bot")
    for path in (path for folder in _folders() for path in sorted(folder.glob("*.json"))):
        if path.stem not in files:
            files.add(path.stem, path)
    return files


def _folders() -> list[Path]:
    package = Path(__file__).resolve().parents[2]
    own = os.environ.get(FOLDER_VARIABLE)
    if own and not Path(own).is_dir():
        raise InputError(f"{FOLDER_VARIABLE} names {own}, which is not a folder; it must be a folder of bot files")
    folders = [Path(own) if own else Path("bots"), package / "bots"]
    if package.parent.name == "src":  # when run from the repository, which has the bots beside src
        folders.append(package.parent.parent / "bots")
    return [folder for folder in folders if folder.is_dir()]


def _read(path: Path) -> Bot:
    if not _NAME.match(path.stem):
        raise InputError(f"{path}: the name of a bot file may have letters, digits, '.', '-' and '_' only")
    try:
        fields = json.loads(read_bounded_text(path, MAX_SETTINGS_BYTES), object_pairs_hook=_distinct)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except RecursionError:
        raise InputError(f"{path} is not a bot file: it is nested too deeply") from None
    except ValueError as error:  # broken JSON, text that is not UTF-8, or a field twice
        raise InputError(f"{path} is not a JSON file: {' '.join(str(error).split())}") from None
    if not isinstance(fields, dict):
        raise InputError(f'{path} must hold one JSON object, as in {{"model": "openai:gpt-5-mini"}}')
    if "name" in fields:
        raise InputError(f"{path}: unknown field 'name'; a bot has the name of its file: {path.stem}")
    try:
        return Bot(name=path.stem, **fields)
    except ValidationError as error:
        raise InputError(f"{path}: {_first(error)}") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field is set twice")
    return fields


def _first(error: ValidationError) -> str:
    """Return the first problem of a bot file in one line, without values that could be keys."""
    details = error.errors(include_url=False)
    # A union reports an error for each of its alternatives. All of these errors belong to the field of the first error.
    detail, place = details[0], details[0]["loc"]
    field = ".".join(str(part) for part in place[: 2 if place[:1] == ("price",) else 1])
    if detail["type"] == "missing":
        example = 'the field "model" is missing, as in "model": "openai:gpt-5-mini"'
        return example if field == "model" else f"{field}: is missing"
    if detail["type"] == "extra_forbidden":
        known = Price.model_fields if field.startswith("price.") else list(Bot.model_fields)[1:]  # without the name
        return f"unknown field {field!r}; the fields are {', '.join(known)}"
    if field == "reasoning":
        return "reasoning: must be off, minimal, low, medium, high or a whole number of tokens"
    message = detail["msg"].removeprefix("Value error, ")
    return f"{field}: {message[:1].lower()}{message[1:]}" if field else message
