"""Built files are handed out in the smallest form that a reader takes, and each form is the same file."""

import gzip
from pathlib import Path

import pytest

from kept import opened
from serving import client

SCRIPT = b"export const answer = 42;\n" * 100


@pytest.fixture
def lab(tmp_path):
    pages = tmp_path / "pages"
    (pages / "assets").mkdir(parents=True)
    files = {
        "index.html": b"<!doctype html>",
        "assets/page-1.js": SCRIPT,
        "assets/page-1.js.br": b"as a Brotli stream",
        "assets/page-1.js.gz": gzip.compress(SCRIPT),
    }
    for name, content in files.items():
        Path(pages, name).write_bytes(content)
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal, client(journal, pages=pages) as lab:
        yield lab


def asked(lab, name, accepted, **headers):
    return lab.get(name, headers={"Accept-Encoding": accepted, **headers})


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br", "br"), ("gzip;q=1.0", "gzip"), ("identity", None), ("", None), ("brotli, gzipped", None)],
)
def test_the_smallest_form_that_a_reader_takes(lab, accepted, encoding):
    with lab.stream("GET", "/assets/page-1.js", headers={"Accept-Encoding": accepted}) as reply:
        raw = b"".join(reply.iter_raw())
    assert reply.headers.get("content-encoding") == encoding
    assert reply.headers["vary"] == "Accept-Encoding"
    assert reply.headers["content-type"].startswith("text/javascript")
    if encoding == "br":
        assert raw == b"as a Brotli stream"
    else:
        assert (gzip.decompress(raw) if encoding else raw) == SCRIPT


def test_each_form_has_a_mark_of_its_own(lab):
    plain, packed = (asked(lab, "/assets/page-1.js", accepted).headers["etag"] for accepted in ("identity", "gzip"))
    assert plain != packed
    assert asked(lab, "/assets/page-1.js", "gzip", **{"If-None-Match": packed}).status_code == 304
    assert asked(lab, "/assets/page-1.js", "gzip", **{"If-None-Match": plain}).status_code == 200


def test_packed_files_are_no_pages_of_their_own(lab):
    assert asked(lab, "/assets/page-1.js.br", "br").status_code == 404
    assert "vary" not in asked(lab, "/", "br").headers
