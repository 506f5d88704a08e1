"""Whose certificates are believed. Read once a process: to read them takes as long as many a call."""

import ssl
from functools import cache


@cache
def trusted() -> ssl.SSLContext:
    """What every client of ours checks a server's certificate by."""
    import httpx2  # comes with an extra

    return httpx2.create_ssl_context()
