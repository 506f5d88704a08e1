"""A journal with games of every kind, shared by the tests of a file."""

import math

import pytest

from ostrom.analysis.highlights import summarise
from ostrom.journal.sql import Journal
from serving import client
from studied import fill


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The URL of its journal."""
    url = f"sqlite:///{tmp_path_factory.mktemp('store')}/lab.db"
    with Journal.open(url, create=True) as journal:
        fill(journal)
        summarise(journal, math.inf)
    return url


@pytest.fixture(scope="module")
def lab(address):
    """Its API."""
    with Journal.open(address) as journal, client(journal) as result:
        yield result
