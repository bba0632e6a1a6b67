# Each target brings what it needs into .venv first; a second run starts at once.
#   make demo DEMO_ARGS="--steps 4"     make test PYTEST_ARGS="tests/spillway -x"     make PYTHON=python3.12 demo

BOOTSTRAP := PYTHON="$(PYTHON)" tools/bootstrap.sh
BIN := .venv/bin
# Node from .venv where the system has none.
NPM := tools/npm.sh
PYTEST_ARGS ?=
# Most tests wait for processes; a file's tests stay together, with the servers they share.
PYTEST_WORKERS ?= 2
DEMO_ARGS ?=
BENCH_ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test soak check bench page clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## fine-tune a real model here, start to end, in the browser (DEMO_ARGS="--steps 4 --headless")
	@$(BOOTSTRAP) --page
	@exec $(BIN)/spillway demo $(DEMO_ARGS)

test: ## every test but the long stress (PYTEST_ARGS="...")
	@$(BOOTSTRAP) --dev --page
	$(NPM) run --silent test
	$(BIN)/python -m pytest -m "not soak" -n $(PYTEST_WORKERS) --dist loadfile $(PYTEST_ARGS)

soak: ## the long stress tests
	@$(BOOTSTRAP) --dev --page
	$(BIN)/python -m pytest -m soak $(PYTEST_ARGS)

check: ## format, lint, types, import rules, generated files, compose file
	@$(BOOTSTRAP) --dev --page --frontend-tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/check_generated.py
	$(BIN)/python tools/check_compose.py
	$(NPM) run --silent types
	$(NPM) run --silent lint
	$(NPM) run --silent check:api

bench: ## the benchmarks; each prints its ratios (BENCH_ARGS="...")
	@$(BOOTSTRAP)
	@for bench in benchmarks/*.py; do echo "== $$bench"; $(BIN)/python "$$bench" $(BENCH_ARGS) || exit 1; done

page: ## build the page into backend/static
	@$(BOOTSTRAP) --page

clean: ## remove all that was built here; your data folder is not touched
	rm -rf .venv backend/static frontend/node_modules frontend/tools/node_modules build dist *.egg-info
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
