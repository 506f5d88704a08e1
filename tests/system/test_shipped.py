"""What is shipped is listed, with its licence: the notices, the bill of materials, and the check for known faults."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import audit
import notices
from audit import Package
from ostrom.web.pages import built_file
from pins import read_bundle, read_modules, read_pins, shipped
from sbom import BESIDE, PERMISSIVE, allowed, make_bom


@pytest.fixture(scope="module")
def bom() -> dict[str, Any]:
    return make_bom()


def words(text: str) -> str:
    return " ".join(text.split())


def test_every_package_of_the_bundle_is_in_the_notices_with_the_text_of_its_licence():
    listed = notices.NOTICES.read_text("utf-8")
    lines, text = set(listed.splitlines()), words(listed)
    assert len(read_bundle()) > 20
    for entry in read_bundle():
        assert f"{entry['name']} {entry['version']}" in lines, "make notices"
        assert words(entry["text"]) in text, entry["name"]


def test_packages_that_others_carry_inside_are_in_the_notices_too():
    """vega-embed has copies of the first two in its file, d3-delaunay one of the third: no bundler sees them."""
    assert {"fast-json-patch", "semver", "delaunator"} <= {module.name for module in shipped(read_modules())}
    assert not {"fast-json-patch", "semver", "delaunator"} & {entry["name"] for entry in read_bundle()}


def test_the_notices_are_those_of_the_lock_file():
    lines = set(notices.NOTICES.read_text("utf-8").splitlines())
    assert {f"{module.name} {module.version}" for module in shipped(read_modules())} <= lines, "make notices"


def test_a_page_that_is_handed_on_has_the_notices_of_what_is_in_it():
    page = built_file("viewer.html").read_text("utf-8")
    assert "Permission is hereby granted" in page.partition("</body>")[2]


@pytest.mark.parametrize(
    ("expression", "permissive", "beside"),
    [
        ("MIT", True, True),
        ("(MIT OR CC0-1.0)", True, True),
        ("MIT OR GPL-3.0-only", True, True),
        ("MIT AND GPL-3.0-only", False, False),
        ("GPL-2.0-or-later", False, False),
        ("AGPL-3.0-only", False, False),
        ("MPL-2.0", False, True),
        ("LGPL-3.0-only", False, True),
        ("not stated", False, False),
    ],
)
def test_which_licences_are_allowed(expression: str, permissive: bool, beside: bool):
    assert allowed(expression, PERMISSIVE) is permissive
    assert allowed(expression, BESIDE) is beside


def test_all_that_is_in_the_pages_is_permissive():
    assert {module.name for module in shipped(read_modules()) if not allowed(module.license or "", PERMISSIVE)} == set()


def test_the_bill_has_every_pin_with_hash_and_licence(bom: dict[str, Any]):
    found = {(entry["purl"].split("/")[0], entry["name"], entry["version"]) for entry in bom["components"]}
    assert {("pkg:pypi", pin.name, pin.version) for pin in read_pins("dev")} <= found
    assert {("pkg:npm", module.name, module.version) for module in read_modules().values()} <= found
    assert all(entry["hashes"] and entry["licenses"] for entry in bom["components"])
    references = [entry["bom-ref"] for entry in bom["components"]]
    assert len(references) == len(set(references))
    named = {ref for entry in bom["dependencies"] for ref in (entry["ref"], *entry["dependsOn"])}
    assert named == {*references, bom["metadata"]["component"]["bom-ref"]}


def test_the_bill_tells_what_runs_from_what_builds(bom: dict[str, Any]):
    scopes = {entry["name"]: entry["scope"] for entry in bom["components"]}
    expected = {"numpy": "required", "vega": "required", "fastapi": "optional", "starlette": "optional"}
    expected |= {"pytest": "excluded", "hatchling": "excluded", "vite": "excluded"}
    assert {name: scopes[name] for name in expected} == expected


def test_the_bill_names_no_host_and_is_the_same_each_time(bom: dict[str, Any]):
    assert "://" not in json.dumps(bom)
    assert make_bom() == bom


def advisory(**changes: Any) -> dict[str, Any]:
    """A record of the database about demo, a package of Python: 1.0 to 1.4 are affected."""
    affected = {
        "package": {"ecosystem": "PyPI", "name": "Demo"},
        "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "1.0"}, {"fixed": "1.5"}]}],
    }
    affected |= changes.pop("affected", {})
    return {"id": "PYSEC-1", "summary": "reads\nbeyond", "affected": [affected], **changes}


def events(*marks: dict[str, str]) -> dict[str, Any]:
    return {"ranges": [{"type": "SEMVER", "events": list(marks)}]}


TWICE = events({"introduced": "3"}, {"fixed": "4"}, {"introduced": "1"}, {"fixed": "2"})
NPM = {"package": {"ecosystem": "npm", "name": "demo"}}


@pytest.mark.parametrize(
    ("version", "record", "affected"),
    [
        ("1.4.9", advisory(), True),
        ("1.5", advisory(), False),
        ("1.10", advisory(), False),
        ("0.9", advisory(), False),
        ("1.5rc1", advisory(), True),
        ("1.4", advisory(withdrawn="2026-01-01T00:00:00Z"), False),
        ("7.0", advisory(affected={"ranges": [], "versions": ["7.0"]}), True),
        ("2.0", advisory(affected=events({"introduced": "0"}, {"last_affected": "2.0"})), True),
        ("2.0.1", advisory(affected=events({"introduced": "0"}, {"last_affected": "2.0"})), False),
        (
            "3.0",
            advisory(affected=TWICE),
            True,
        ),
        (
            "2.5",
            advisory(affected=TWICE),
            False,
        ),
        ("2.0.0-beta.2", advisory(affected=NPM | events({"introduced": "0"}, {"fixed": "2.0.0-beta.11"})), True),
        ("2.0.0", advisory(affected=NPM | events({"introduced": "0"}, {"fixed": "2.0.0-beta.11"})), False),
        ("1.4", advisory(affected={"package": {"ecosystem": "crates.io", "name": "demo"}}), False),
    ],
)
def test_a_pin_is_looked_up_as_the_database_means_it(version: str, record: dict[str, Any], affected: bool):
    pins = {Package("PyPI", "demo"): {version}, Package("npm", "demo"): {version}}
    assert bool(list(audit.look_up(pins, record))) is affected


def test_an_affected_pin_ends_the_check_with_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    pin = next(pin for pin in read_pins("base") if pin.name == "jinja2")
    about = {"package": {"ecosystem": "PyPI", "name": "Jinja2"}, **events({"introduced": "0"}, {"fixed": "99.1"})}
    with zipfile.ZipFile(tmp_path / "PyPI.zip", "w") as archive:
        archive.writestr("PYSEC-1.json", json.dumps(advisory(affected=about)))
    assert audit.main([str(tmp_path / "PyPI.zip")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"jinja2 {pin.version} (PyPI): PYSEC-1: reads beyond; fixed in 99.1"
    assert lines[1] == "audit: no record is about npm: its packages were not checked"
    assert lines[2].endswith("1 records: 1 findings")


def test_without_a_database_it_is_said_that_nothing_was_checked(capsys: pytest.CaptureFixture[str]):
    assert audit.main([]) == 0
    assert capsys.readouterr().out.startswith("audit: nothing was checked")


@pytest.mark.parametrize("content", [b"no archive", b'{"id": 1', None])
def test_what_is_no_database_is_one_line(content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    place = tmp_path / "given"
    if content is not None:
        place.write_bytes(content)
    assert audit.main([str(place)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
