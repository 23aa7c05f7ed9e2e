# Every target does its own set-up in .venv; nothing outside this folder is touched, except that `make test`
# installs a system package when one it needs is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: play test soak lint bench setup lock clean

play: $(VENV)/.play
	@$(BIN)/serai play $(ARGS)

setup: $(VENV)/.dev

test: lint
	$(BIN)/python -m pytest -n auto --dist loadfile

soak: $(VENV)/.dev
	SERAI_SOAK=1 $(BIN)/python -m pytest -n auto

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m bench

lock: $(VENV)/.dev
	$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-emit-index-url --no-header \
		--extra play --extra fast pyproject.toml requirements.in -o requirements.lock
	$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-emit-index-url --no-header \
		--all-extras -c requirements.lock pyproject.toml requirements.in -o requirements-dev.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist

$(VENV)/.play: pyproject.toml requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up Serai in $(VENV) …"
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.play requirements-dev.lock
	@echo "Adding what tests and benches need …"
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@
