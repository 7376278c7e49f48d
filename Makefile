# Three commands are enough: `make serve` serves the page, `make chat` talks in the terminal, `make
# test` tests. All set up .venv where it is missing or no longer what requirements.lock says. PYTHON= names another Python than python3,
# VENV= another place, ARGS= what is passed on: make chat ARGS='--user ada'

PYTHON ?=
VENV ?= .venv
ARGS ?=
export PYTHON VENV
# Compiled test modules are kept, whatever the environment says: half of what it takes to begin.
unexport PYTHONDONTWRITEBYTECODE

PY = "$(VENV)/bin/python"

.PHONY: help serve chat eval test test-fast lint format check lock clean ready ready-dev

help:
	@printf '%s\n' \
	  'make serve      Keepsake in the browser, over REST and MCP' \
	  'make chat       talk to Keepsake in the terminal' \
	  'make test       every test' \
	  'make test-fast  the tests that need no service, server, browser or model' \
	  'make lint       ruff, mypy, import-linter' \
	  'make format     let ruff tidy up' \
	  'make check      test and lint' \
	  'make eval       how good recall is, on the golden set' \
	  'make lock       choose the newest versions for requirements.lock' \
	  'make clean      remove .venv and what tools left; never your data'

# Ctrl-C belongs to the program: it stops an answer there, and leaving by it is no error.
chat serve: ready
	@trap : INT; $(PY) -m app $@ $(ARGS) || [ $$? -eq 130 ]

eval: ready
	@$(PY) -m eval --dataset memory $(ARGS)

test: ready-dev
	@$(PY) -m pytest $(ARGS)

test-fast: ready-dev
	@$(PY) -m pytest --hypothesis-profile few \
	  -m 'not (database or cache or server or browser or model)' $(ARGS)

lint: ready-dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(PY) -c "from importlinter.cli import lint_imports_command; lint_imports_command()"

format: ready-dev
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

check: test lint

ready:
	@sh setup.sh

ready-dev:
	@sh setup.sh dev

# uv, in an environment that is thrown away, because pip cannot lock for other platforms.
lock: ready
	@scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && \
	"$(VENV)/bin/python" -m venv "$$scratch" && \
	"$$scratch/bin/pip" install --quiet --disable-pip-version-check 'uv>=0.13,<0.14' && \
	"$$scratch/bin/uv" pip compile --quiet --upgrade --universal --python-version 3.11 --extra dev \
	  --no-header --no-annotate --no-emit-index-url --output-file "$$scratch/lock" pyproject.toml && \
	{ head -n 1 requirements.lock; cat "$$scratch/lock"; } >"$$scratch/new" && \
	cp "$$scratch/new" requirements.lock

clean:
	rm -rf "$(VENV)" build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	  .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
