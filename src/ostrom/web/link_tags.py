"""The tags with which chats and social networks show a link: Open Graph, and the names of Twitter. They hold names of
players and words of models, so every value is made legible, cut and escaped."""

from html import escape
from typing import Final, NamedTuple

from ostrom.charts.card import HEIGHT, WIDTH
from ostrom.core.outlets import legible

_MAX_TEXT_CHARACTERS: Final = 200


class LinkFacts(NamedTuple):
    """The title, description and picture with which a link is shown."""

    site: str
    title: str
    description: str
    address: str | None = None
    """The absolute address of the page."""
    image: str | None = None
    """The absolute address of the card."""
    image_text: str = ""


def link_tags(facts: LinkFacts) -> list[str]:
    """Return the tags. Addresses that are unknown have no tag, since readers of tags need absolute addresses."""
    title, description = shorten(facts.title), shorten(facts.description)
    shown = facts.image is not None
    properties = {
        "og:type": "website",
        "og:site_name": shorten(facts.site),
        "og:title": title,
        "og:description": description,
        "og:url": facts.address,
        "og:image": facts.image,
        "og:image:type": "image/png" if shown else None,
        "og:image:width": str(WIDTH) if shown else None,
        "og:image:height": str(HEIGHT) if shown else None,
        "og:image:alt": shorten(facts.image_text) if shown else None,
    }
    names = {
        "twitter:card": "summary_large_image" if shown else "summary",
        "twitter:title": title,
        "twitter:description": description,
        "twitter:image": facts.image,
        "twitter:image:alt": shorten(facts.image_text) if shown else None,
    }
    return [
        *(f'<meta property="{name}" content="{escape(text)}">' for name, text in properties.items() if text),
        *(f'<meta name="{name}" content="{escape(text)}">' for name, text in names.items() if text),
    ]


def shorten(text: str) -> str:
    """Return a text on one line, legible and of limited length."""
    return legible(" ".join(text.split()), most=_MAX_TEXT_CHARACTERS)
