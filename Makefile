# The two set-up commands are `make demo` and `make test`; both install into .venv by themselves.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
INPUTS := pyproject.toml constraints.txt
GAME ?= docs/examples/games/one_card_poker.efg

.PHONY: demo test check benchmark clean

demo: $(VENV)/.installed  ## Solve a bundled game file exactly and print the verified answer
	@$(BIN)/python -m solvers $(GAME) --concept nash

test: $(VENV)/.installed-dev  ## Run every test
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

check: $(VENV)/.installed-dev  ## Format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports --no-logo

benchmark: $(VENV)/.installed-benchmarks  ## Measure beside the peers, one ratio a line
	$(BIN)/python -m tests.benchmarks

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

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing what the tests need into $(VENV) (once) ..."
	@$(PIP) --editable '.[dev]'
	@touch $@

$(VENV)/.installed-benchmarks: $(VENV)/.installed-dev
	@echo "Compiling the peers of the benchmarks into $(VENV) (once) ..."
	@$(PIP) --editable '.[benchmarks]' \
	  || echo "make: LiteEFG needs a C++ compiler; without it its rows are left out."
	@touch $@
