"""The extras of the installation: which optional packages serve what. A command whose extra is missing says so in one
line."""

from typing import Final, NamedTuple

from ostrom.core.errors import InputError


class Extra(NamedTuple):
    """An optional package."""

    package: str
    serves: str
    extra: str
    """The extra of ostrom that brings it."""


EXTRAS: Final = {
    "polars": Extra("polars", "ratings and reports", "study"),
    "altair": Extra("altair", "charts", "study"),
    "vl_convert": Extra("vl-convert-python", "charts", "study"),
    "PIL": Extra("pillow", "films", "video"),
    "imageio_ffmpeg": Extra("imageio-ffmpeg", "films", "video"),
    "psycopg": Extra("psycopg", "a journal in PostgreSQL", "postgres"),
    "pydantic_ai": Extra("pydantic-ai-slim", "language models", "models"),
    "httpx2": Extra("httpx2", "language models", "models"),
    "jinja2": Extra("jinja2", "prompts and pages", "models"),
    "distributed": Extra("distributed", "more machines", "cluster"),
    "jax": Extra("jax", "--backend jax", "jax"),
    "fastapi": Extra("fastapi", "the pages", "web"),
    "starlette": Extra("fastapi", "the pages", "web"),
    "uvicorn": Extra("uvicorn", "the pages", "web"),
}
"""By the name under which Python imports them."""


def missing_extra(error: ModuleNotFoundError) -> InputError | None:
    """What to install, where an import failed for want of an extra."""
    extra = EXTRAS.get((error.name or "").partition(".")[0])
    if extra is None:
        return None
    return InputError(f"this needs {extra.package}, which is not installed: pip install 'ostrom[{extra.extra}]'")
