"""Markdown of session files as HTML: nothing of a text becomes a script, an image or a hostile link."""

import re

from ostrom.web.markdown import html_of

HOSTILE = """# Title
<script>alert(1)</script> <img src=x onerror=alert(1)> [a](javascript:alert(1)) [b](data:text/html,x)
[c](https://example.org "t\\"x") ![d](https://example.org/p.png) <https://example.org/"onclick=x>
&lt;script&gt; [e](vbscript:x)
"""


def test_only_plain_tags_and_links_remain() -> None:
    html = html_of(HOSTILE)
    assert {*re.findall(r"<(\w+)", html)} == {"h2", "p", "a"}
    assert {*re.findall(r'href="(\w+):', html)} == {"https"}
    assert html.count("<a ") == html.count('target="_blank" rel="noopener noreferrer"')
    assert "<h2>Title</h2>" in html


def test_tables_and_lists_are_drawn() -> None:
    assert "<td>1</td>" in html_of("|a|b|\n|-|-|\n|1|2|")
    assert "<li>x</li>" in html_of("- x")
