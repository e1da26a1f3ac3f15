# Two commands do all: `make demo` and `make test`. Both set up first; set-up is idempotent and quick the second time.
#
#   make demo  [DOMAIN=math] [NAME=demo]   a campaign on the embedded policy, then where to look; VERSIONS=6 is its length;
#                                          of code and swe the names are demo-code and demo-swe
#   make test                              the whole test suite
#   make setup                             only the environment: .venv/bin/evotrainer
#   make lint                              formatting, types, dependency rule
#
# Another build of torch, say for CUDA: give pip an index that has it and remove .venv/.setup:
#   make setup PIP_ARGS="--extra-index-url <index of that build>" TORCH="torch==2.13.0+<build>"

PYTHON ?= python3
DOMAIN ?= math
NAME ?= $(if $(filter math,$(DOMAIN)),demo,demo-$(DOMAIN))
VERSIONS_code := 4
VERSIONS_swe := 3
VERSIONS ?= $(or $(VERSIONS_$(DOMAIN)),6)
TORCH ?= torch==2.13.0
PIP_ARGS ?=
BIN := .venv/bin

.PHONY: demo test setup lint

setup: .venv/.setup

demo: setup
	$(BIN)/evotrainer campaign run $(NAME) domain=$(DOMAIN) search=evotrainer trainer=rules num_versions=$(VERSIONS)
	$(BIN)/evotrainer report $(NAME) --open

test: .venv/.setup-dev
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: .venv/.setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/pyright

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "EvoTrainer needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.setup: pyproject.toml requirements.lock | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP_ARGS) $(TORCH)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP_ARGS) -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/evotrainer data build
	@$(BIN)/python -c 'import importlib.metadata as m; print("torch build:", m.version("torch"), "(another: see the head of the Makefile)")'
	@touch $@

.venv/.setup-dev: .venv/.setup requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP_ARGS) -r requirements-dev.lock
	@touch $@
