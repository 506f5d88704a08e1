"""Joining a session: with its code, with a label of its list, with a single-use link, or from a panel."""

import asyncio
from collections.abc import Iterator, Mapping

from ostrom.core import InputError, OstromError
from ostrom.experiment.session import entries as e
from ostrom.experiment.session.running import LiveSession
from ostrom.experiment.session.tokens import new_token, token_of_key
from ostrom.journal.sessions import PersonalValue

_FULL = "this session takes no further participants"


class JoinRefused(InputError):
    """Raised if a person cannot join now."""


class UnknownSecret(InputError):
    """Raised for a label or link that is not one of the session's."""


async def join(
    live: LiveSession, label: str | None, link: str | None, parameters: Mapping[str, str], key: str | None = None
) -> tuple[str, int]:
    """Add a participant; return the participant's token and number. The participant is in the journal then. A further
    request with the same key gets the same participant again, so that a page can repeat a request whose reply was
    lost."""
    if key is None:
        return await _add(live, label, link, parameters, new_token())
    token = token_of_key(live.id, key)
    number = live.tokens.participant(token)
    if number is not None and number in live.state.participants:
        return token, number
    joining = live.joining.get(token)
    if joining is None:
        joining = asyncio.ensure_future(_add(live, label, link, parameters, token))
        live.joining[token] = joining
        joining.add_done_callback(lambda _: live.joining.pop(token))
    return await asyncio.shield(joining)


async def _add(
    live: LiveSession, label: str | None, link: str | None, parameters: Mapping[str, str], token: str
) -> tuple[str, int]:
    label = None if label is None else label.strip() or None
    _check_way(live, label, link)
    personal = dict(_personal(live, label, parameters))
    ids = {f"{name} {value}" for name, value in personal.items() if _is_unique(live, name)}
    if not live.is_open:
        raise JoinRefused(_FULL)
    if ids & (live.reserved | _known_ids(live)):
        raise JoinRefused("this person takes part already; open the page where you began, or ask the host for a link")
    number = live.allocated = live.allocated + 1
    live.reserved |= ids
    single = link if live.file.session.join == "links" else None
    try:
        if single is not None and not await live.tokens.use_link(single, number):
            raise UnknownSecret("this link is not valid, or it is used already")
        try:
            await live.tokens.give(number, token)
            if not live.is_open:  # Others may have joined meanwhile.
                raise JoinRefused(_FULL)
            values = [PersonalValue(number, name, value) for name, value in personal.items()]
            await live.enter(e.Joined(participant=number, language=live.file.session.language), personal=values)
        except OstromError:
            await live.tokens.take_back(number, single)
            raise
    finally:
        live.reserved -= ids
    return token, number


def _check_way(live: LiveSession, label: str | None, link: str | None) -> None:
    settings = live.file.session
    if settings.join == "labels" and label not in settings.labels:
        raise UnknownSecret("this label is not on the list of the session")
    if settings.join == "links" and (link is None or not live.tokens.is_free_link(link)):
        raise UnknownSecret("this session is joined by links, and this link is not valid, or it is used already")


def _personal(live: LiveSession, label: str | None, parameters: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the personal values of a new participant. Parameters that the file does not name are not stored."""
    if label is not None:
        yield "label", label
    panel = live.file.panel
    for name in () if panel is None else dict.fromkeys((panel.participant, *panel.parameters)):
        value = parameters.get(name, "").strip()
        if not value:
            raise JoinRefused(f"the address lacks {name}; open the link that the panel gave you")
        yield f"panel.{name}", value


def _is_unique(live: LiveSession, name: str) -> bool:
    """Return whether a personal value identifies one person."""
    panel = live.file.panel
    return (name == "label" and live.file.session.join == "labels") or (
        panel is not None and name == f"panel.{panel.participant}"
    )


def _known_ids(live: LiveSession) -> set[str]:
    return {f"{name} {value}" for (_, name), value in live.personal.items() if _is_unique(live, name)}
