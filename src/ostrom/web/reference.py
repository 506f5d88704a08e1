"""The reference of the API at /docs. It shows the OpenAPI document as a page without scripts or external files, under
the same security policy as all pages."""

from functools import cache
from importlib.resources import files
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

router = APIRouter(include_in_schema=False)

_CACHING: Final = {"Cache-Control": "no-cache"}


@router.get("/docs")
async def reference(request: Request) -> HTMLResponse:
    """Return the reference as a page."""
    return HTMLResponse(_page(request.app), headers=_CACHING)


@router.get("/docs/reference.css")
async def styles() -> Response:
    """Return the style sheet of the reference."""
    return Response(_read("reference.css"), media_type="text/css", headers=_CACHING)


@cache
def _page(app: Any) -> str:
    import jinja2

    document = app.openapi()
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["coded"] = _mark_code
    template = environment.from_string(_read("reference.html.j2"))
    return template.render(info=document["info"], groups=_groups(document), shapes=_shapes(document))


def _read(name: str) -> str:
    return files("ostrom.web").joinpath(name).read_text(encoding="utf-8")


def _mark_code(text: str) -> Any:
    """Return a text as HTML, with code for the parts between backticks."""
    from markupsafe import Markup, escape

    parts = enumerate(text.split("`"))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part) for place, part in parts
    )


def _groups(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            answers = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
            parameters = operation.get("parameters", [])
            endpoint = {
                "method": method.upper(),
                "path": path,
                "anchor": operation["operationId"],
                "description": operation.get("description", ""),
                "fields": [
                    _field(parameter["name"], parameter["schema"], parameter.get("required"), parameter)
                    for parameter in parameters
                ],
                "takes": _shape(operation.get("requestBody", {})),
                "gives": _shape(answers[0]) if answers else None,
            }
            groups.setdefault((operation.get("tags") or ["other"])[0], []).append(endpoint)
    return groups


def _shapes(document: dict[str, Any]) -> dict[str, tuple[str, list[dict[str, Any]]]]:
    shapes = {}
    for name, schema in sorted(document.get("components", {}).get("schemas", {}).items()):
        required, properties = schema.get("required", []), schema.get("properties", {}).items()
        fields = [_field(field, inner, field in required, inner) for field, inner in properties]
        shapes[name] = (schema.get("description", ""), fields)
    return shapes


def _field(name: str, schema: dict[str, Any], required: bool | None, words: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter with its location, or a field of a request or reply, for the page."""
    default = schema.get("default")
    return {
        "name": name,
        "type": _type(schema),
        "shapes": sorted(set(_referenced_shapes(schema))),
        "place": words.get("in", ""),
        "required": required,
        "default": None if default is None or default in ({}, []) else str(default),
        "description": words.get("description", ""),
    }


def _shape(content: dict[str, Any]) -> str | None:
    names = [
        name for media in content.get("content", {}).values() for name in _referenced_shapes(media.get("schema", {}))
    ]
    return names[0] if names else None


def _referenced_shapes(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        own = [schema["$ref"].rpartition("/")[2]] if "$ref" in schema else []
        return own + [name for inner in schema.values() for name in _referenced_shapes(inner)]
    return [name for inner in schema for name in _referenced_shapes(inner)] if isinstance(schema, list) else []


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_type(option) for option in schema["anyOf"] if option.get("type") != "null")
    if "enum" in schema:
        return " | ".join(repr(option) for option in schema["enum"])
    if "const" in schema:
        return repr(schema["const"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))
