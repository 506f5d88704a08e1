"""Write dist/ostrom.cdx.json, a bill of materials in CycloneDX 1.6: `make sbom`. It has every package of Python and of
the pages with version, hashes and licence, and what each depends on; the same tree gives the same file.

Scopes: `required` is what a plain installation has, and what stands in the built pages; `optional` what extras bring;
`excluded` what only builds and tests. A licence that is not in the lists below ends it with a line."""

import base64
import json
import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pins import ROOT, Module, Pin, read_modules, read_pins, shipped

BOM = ROOT / "dist" / "ostrom.cdx.json"
PERMISSIVE = {
    *(
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "CNRI-Python",
        "ISC",
        "MIT",
        "MIT-CMU",
        "PSF-2.0",
    ),
    *("Python-2.0", "Unlicense", "Zlib"),
}
"""What may be in the pages, whose code we hand on."""
BESIDE = PERMISSIVE | {"MIT-0", "LGPL-3.0-only", "MPL-2.0", "Apache-2.0 WITH LLVM-exception"}
"""What may be installed beside us, and stays what it is."""
SEPARATE = {"imageio-ffmpeg": "BSD-2-Clause AND GPL-3.0-or-later"}
"""Wheels that carry a program of another licence than they state: ffmpeg, which `ostrom animate` (extra `video`) runs
as a process of its own."""
STATED = {
    # Wanted on other systems or other versions of Python alone, so that they may not be here to be asked.
    **dict.fromkeys(("colorama", "httpx2-jsfetch", "pycparser"), "BSD-3-Clause"),
    "appnope": "BSD-2-Clause",
    "cffi": "MIT-0",
    **dict.fromkeys(("importlib-metadata", "lazy-importer", "tzdata"), "Apache-2.0"),
    "greenlet": "MIT AND PSF-2.0",
    "zipp": "MIT",
    # Their metadata have a text, or a word that is no identifier.
    **dict.fromkeys(("agent-client-protocol", "asttokens", "bleach"), "Apache-2.0"),
    **dict.fromkeys(("altair", "jinja2", "multipledispatch", "partd", "scipy", "trueskill", "zict"), "BSD-3-Clause"),
    **dict.fromkeys(("comm", "ipython-pygments-lexers", "jsonlines", "jsonpointer", "jupyter-client"), "BSD-3-Clause"),
    **dict.fromkeys(("jupyterlab-pygments", "nbclient", "nbconvert", "nbformat", "prompt-toolkit"), "BSD-3-Clause"),
    **dict.fromkeys(("dask-jobqueue", "s3fs", "tinycss2", "traitlets", "webencodings"), "BSD-3-Clause"),
    **dict.fromkeys(("grimp", "import-linter", "nest-asyncio2", "numba"), "BSD-2-Clause"),
    **dict.fromkeys(("defusedxml", "pathlib-abc"), "PSF-2.0"),
    "tiktoken": "MIT",
}
"""What cannot be read from metadata, as it stands in the package's own LICENSE."""
CLASSIFIERS = {
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}


def license_of(name: str) -> str:
    """A package's licence as an SPDX expression."""
    if name in SEPARATE or name in STATED:
        return SEPARATE.get(name) or STATED[name]
    try:
        metadata = distribution(name).metadata
    except PackageNotFoundError:
        raise SystemExit(
            f"sbom: {name} is not installed, so its licence is unknown: add it to STATED in scripts/sbom.py"
        ) from None
    for stated in (metadata["License-Expression"], metadata["License"]):
        try:
            return str(canonicalize_license_expression(stated or ""))
        except InvalidLicenseExpression:
            continue
    classifiers = [
        text.rpartition(" :: ")[2] for text in metadata.get_all("Classifier", []) if text.startswith("License")
    ]
    found = sorted({CLASSIFIERS[text] for text in classifiers if text in CLASSIFIERS})
    if not found:
        raise SystemExit(f"sbom: the licence of {name} is unknown: read it, and add it to STATED in scripts/sbom.py")
    return " OR ".join(found)


def allowed(expression: str, licenses: set[str]) -> bool:
    """Whether an expression can be met with these licences: each part of an AND, one of an OR."""
    expression = expression.strip().removeprefix("(").removesuffix(")")
    return all(any(one.strip("() ") in licenses for one in part.split(" OR ")) for part in expression.split(" AND "))


def requirements_of(name: str, extras: Iterable[str]) -> list[Requirement]:
    """What an installed package wants here, with some of its extras."""
    try:
        wanted = [Requirement(text) for text in distribution(name).requires or []]
    except PackageNotFoundError:
        return []
    kinds = ["", *extras]
    return [
        each for each in wanted if each.marker is None or any(each.marker.evaluate({"extra": kind}) for kind in kinds)
    ]


def closure(roots: Iterable[str]) -> dict[str, set[str]]:
    """The packages that requirements lead to, each with those that it wants itself."""
    pending = [(canonicalize_name(root.name), frozenset(root.extras)) for root in map(Requirement, roots)]
    seen: set[tuple[str, frozenset[str]]] = set()
    graph: dict[str, set[str]] = {}
    while pending:
        name, extras = entry = pending.pop()
        if entry in seen:
            continue
        seen.add(entry)
        wanted = requirements_of(name, extras)
        graph.setdefault(name, set()).update(canonicalize_name(each.name) for each in wanted)
        pending += [(canonicalize_name(each.name), frozenset(each.extras)) for each in wanted]
    return graph


def component(
    purl: str, name: str, version: str, scope: str, expression: str, hashes: list[dict[str, str]]
) -> dict[str, Any]:
    """One entry of the list; its reference is its package URL."""
    single = re.fullmatch(r"[\w.+-]+", expression)
    licenses = [{"license": {"id": expression}}] if single else [{"expression": expression}]
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "scope": scope,
        "hashes": hashes,
        "licenses": licenses,
        "purl": purl,
    }


def python_part(project: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """The packages of Python, and their dependencies by reference."""
    extras = {name: wanted for name, wanted in project["optional-dependencies"].items() if name != "dev"}
    required = closure(project["dependencies"])
    optional = closure(text for wanted in extras.values() for text in wanted)
    tools = closure(project["optional-dependencies"]["dev"])
    pins = sorted({*read_pins("dev"), *read_pins("build")})
    references: dict[str, list[str]] = {}
    for pin in pins:
        references.setdefault(pin.name, []).append(_pypi(pin))
    graph = tools | optional | required
    components, dependencies = [], {}
    for pin in pins:
        scope = "required" if pin.name in required else "optional" if pin.name in optional else "excluded"
        expression = license_of(pin.name)
        if pin.name not in SEPARATE and not allowed(expression, BESIDE):
            raise SystemExit(
                f"sbom: {pin.name} has the licence {expression}, which is not among those allowed in scripts/sbom.py"
            )
        hashes = [{"alg": "SHA-256", "content": each} for each in pin.hashes]
        components.append(component(_pypi(pin), pin.name, pin.version, scope, expression, hashes))
        dependencies[_pypi(pin)] = sorted(ref for name in graph.get(pin.name, ()) for ref in references.get(name, ()))
    direct = [canonicalize_name(Requirement(text).name) for text in project["dependencies"]]
    dependencies[f"pkg:pypi/ostrom@{project['version']}"] = sorted(ref for name in direct for ref in references[name])
    return components, dependencies


def _pypi(pin: Pin) -> str:
    return f"pkg:pypi/{pin.name}@{pin.version}"


def pages_part() -> tuple[list[dict[str, Any]], dict[str, list[str]], list[str]]:
    """The packages of the pages, their dependencies, and those that stand in the built pages."""
    modules = read_modules()
    bundled = {_npm(module) for module in shipped(modules)}
    components: dict[str, dict[str, Any]] = {}
    dependencies: dict[str, list[str]] = {}
    for module in sorted(modules.values()):
        reference, expression = _npm(module), module.license or "not stated"
        if reference in bundled and not allowed(expression, PERMISSIVE):
            raise SystemExit(
                f"sbom: {module.name} is in the pages and has the licence {expression}, which is not permissive"
            )
        digest = base64.b64decode(module.integrity.removeprefix("sha512-")).hex()
        scope = "required" if reference in bundled else "excluded"
        hashes = [{"alg": "SHA-512", "content": digest}]
        components[reference] = component(reference, module.name, module.version, scope, expression, hashes)
        found = {_npm(modules[path]) for path in module.dependencies}
        dependencies[reference] = sorted({*dependencies.get(reference, ()), *found})
    return list(components.values()), dependencies, sorted(bundled)


def _npm(module: Module) -> str:
    return f"pkg:npm/{module.name.replace('@', '%40')}@{module.version}"


def make_bom() -> dict[str, Any]:
    """The whole document."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    ours = f"pkg:pypi/ostrom@{project['version']}"
    python, python_graph = python_part(project)
    pages, pages_graph, bundled = pages_part()
    graph = python_graph | pages_graph
    graph[ours] = sorted({*graph[ours], *bundled})
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": ours,
                "name": project["name"],
                "version": project["version"],
                "description": project["description"],
                "licenses": [{"license": {"id": project["license"]}}],
                "purl": ours,
            }
        },
        "components": sorted([*python, *pages], key=lambda each: each["purl"]),
        "dependencies": [{"ref": ref, "dependsOn": graph[ref]} for ref in sorted(graph)],
    }


def main() -> None:
    """Write it, and say what is in it."""
    bom = make_bom()
    BOM.parent.mkdir(exist_ok=True)
    BOM.write_text(json.dumps(bom, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{BOM.relative_to(ROOT)}: {len(bom['components'])} packages")


if __name__ == "__main__":
    main()
