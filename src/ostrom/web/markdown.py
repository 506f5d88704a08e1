"""Markdown texts of sessions as HTML for pages. HTML in a text is shown as text, images are left out, and links open in
a new window. Headings begin with the second level, since the page itself has the first."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from typing_extensions import override


class _Renderer(RendererHTML):
    @override
    def renderToken(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        token = tokens[idx]
        if token.type == "link_open":
            token.attrSet("target", "_blank")
            token.attrSet("rel", "noopener noreferrer")
        elif token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1:]) + 1)}"
        elif token.type in ("th_open", "td_open") and (style := token.attrs.pop("style", None)) is not None:
            # The security policy of the pages forbids styles of elements.
            token.attrSet("class", str(style).removeprefix("text-align:"))
        return super().renderToken(tokens, idx, options, env)


_PARSER = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table").disable("image")


@lru_cache(maxsize=256)
def html_of(text: str) -> str:
    """Return a Markdown text as HTML that has no scripts, no images and no addresses other than links."""
    rendered: str = _PARSER.render(text)
    return rendered
