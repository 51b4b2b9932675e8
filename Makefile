# Every command installs what it needs into .venv by itself, from wheels: no compiler is started but by `make peers`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --only-binary :all:
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist worksteal
INPUTS := pyproject.toml constraints.txt
OPTIONAL := interop figures frames study deep dask peers  # extras of which each package may be missing
SECONDS ?= 60
ROOM ?= solvers/zero_sum
COUNT ?= 20
SEED ?= 0
WORKERS ?= 1
GAME ?= docs/examples/games/one_card_poker.efg

.PHONY: demo test test-all check docs fuzz mutate benchmark peers measure clean

demo: $(VENV)/.installed  ## Solve a bundled game file exactly and print the verified answer
	@$(BIN)/gametheory solve $(GAME) --concept nash

test: $(VENV)/.installed-test  ## Run the tests, but for slow sweeps
	$(PYTEST) -m "not slow"

test-all: $(VENV)/.installed-test  ## Run every test
	$(PYTEST)

check: $(VENV)/.installed-dev  ## Format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports --no-logo

docs: $(VENV)/.installed-docs  ## Build the site, with executed notebooks, into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build
	@echo "open build/site/index.html; for the search, $(BIN)/python -m http.server --directory build/site"

fuzz: $(VENV)/.installed-test  ## Try every solver on generated games for SECONDS; keep what fails in build/fuzz
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --seed $(SEED) --workers $(WORKERS)

mutate: $(VENV)/.installed-test  ## Plant COUNT small faults in ROOM, and show those that its tests miss
	$(BIN)/python tools/mutate.py $(ROOM) --count $(COUNT) --seed $(SEED) --workers $(WORKERS) --also $(ALSO)

benchmark: peers  ## Measure beside the peers, one ratio a line
	$(BIN)/python -m tests.benchmarks

peers: $(VENV)/.installed-test  ## Build the peers that have no wheel for this machine, with a C++ compiler
	@$(BIN)/python tools/install_optional.py --build $(OPTIONAL) benchmarks

measure: $(VENV)/.installed  ## Print the size and the weight of the library
	@$(BIN)/python tools/measure.py

clean:
	rm -rf $(VENV) build dist *.egg-info

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "make: needs Python 3.11 or later, but $(PYTHON) is $$($(PYTHON) --version 2>&1). Set PYTHON=/path/to/python3.11."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(INPUTS) | $(BIN)/python
	@echo "Installing into $(VENV) (once) ..."
	@$(PIP) --editable .
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	@echo "Installing what the tests need into $(VENV) (once) ..."
	@$(PIP) --editable '.[test]'
	@$(BIN)/python tools/install_optional.py $(OPTIONAL)
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
	@echo "Installing what the site needs into $(VENV) (once) ..."
	@$(PIP) --editable '.[docs]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed-test
	@echo "Installing what the checks need into $(VENV) (once) ..."
	@$(PIP) --editable '.[dev]'
	@touch $@
