# Every target does its own set-up in .venv; nothing outside this folder is touched, except that `make test`
# installs a system package when one it needs is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PAGE := src/serai/web/index.html
# Tests start hundreds of processes: none of them shall compile again what another has compiled.
unexport PYTHONDONTWRITEBYTECODE
PAGE_SOURCES := $(shell find locales web -type f -not -path 'web/node_modules/*' -not -path 'web/tests/*')

.PHONY: play test soak lint bench gpu ladder docs setup lock clean messages screenshots pictures browser compiler

play: $(VENV)/.play $(PAGE)
	@$(BIN)/serai serve $(ARGS)

setup: $(VENV)/.dev

# Half of their time tests wait for browsers and servers: three of them share two processors.
test: lint $(PAGE) $(VENV)/.compiled browser compiler
	$(BIN)/python -m pytest -n $$(( ($$(nproc) * 3 + 1) / 2 )) --dist worksteal

soak: $(VENV)/.dev $(PAGE) browser compiler
	SERAI_SOAK=1 $(BIN)/python -m pytest -n auto --dist worksteal --timeout 5400

lint: $(VENV)/.dev $(VENV)/.page-linted
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m bench

# The GPU's games beside the CPU's, and rates of both; docs/gpu.md has a log.
gpu: $(VENV)/.dev
	$(BIN)/python -m bench gpu

# All bots against each other, and docs/ladder.md anew; can be stopped and goes on. JOBS=8 plays with so many processes.
ladder: $(VENV)/.dev
	$(BIN)/python -m ladder $(if $(JOBS),--jobs $(JOBS))

# Guides and reference, into site/; open site/index.html.
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The TypeScript types of everything that travels.
messages: $(VENV)/.dev $(PAGE)
	$(BIN)/serai schema | $(BIN)/python hatch_build.py node tools/messages.js

screenshots: $(VENV)/.dev $(PAGE) browser
	$(BIN)/python -m tests.browser.screenshots

# What an installed Serai and the previews of its links look like.
pictures: $(VENV)/.dev $(PAGE) browser
	$(BIN)/python -m tests.browser.going_out

# The shell is the same browser without the windows of its own, which cost more than the pages under test.
browser:
	@command -v chromium-headless-shell >/dev/null \
		|| (apt-get update -q && apt-get install -q -y --no-install-recommends chromium-headless-shell) \
		|| command -v chromium >/dev/null

# For the example bot in C.
compiler:
	@command -v cc >/dev/null || (apt-get update -q && apt-get install -q -y --no-install-recommends gcc libc6-dev)

$(PAGE): $(PAGE_SOURCES) | $(VENV)/.play
	@$(BIN)/python hatch_build.py
	@touch $@

# Like mypy and ruff: what has not changed since it was right is not looked at again.
$(VENV)/.page-linted: $(PAGE) $(PAGE_SOURCES) $(shell find web/tests -type f)
	$(BIN)/python hatch_build.py node node_modules/svelte-check/bin/svelte-check --fail-on-warnings --tsconfig tsconfig.json
	@touch $@

# Workers of the tests would each compile what all of them need.
$(VENV)/.compiled: $(VENV)/.dev $(shell find src/serai -name '*.py')
	@$(BIN)/python -m tests.compiling
	@touch $@

lock: $(VENV)/.dev
	$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-emit-index-url --no-header \
		--extra play --extra fast pyproject.toml requirements.in -o requirements.lock
	$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-emit-index-url --no-header \
		--extra play --extra fast --extra envs --extra data --extra cluster --extra dev --extra bench --extra docs -c requirements.lock pyproject.toml requirements.in -o requirements-dev.lock
	$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-emit-index-url --no-header \
		requirements-node.in -o requirements-node.lock

clean:
	rm -rf $(VENV) src/serai/web web/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis dist site

$(VENV)/.play: pyproject.toml requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up Serai in $(VENV) …"
	@$(PIP) --require-hashes -r requirements.lock
	@$(BIN)/python hatch_build.py node --version >/dev/null 2>&1 || $(PIP) --require-hashes -r requirements-node.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.play requirements-dev.lock
	@echo "Adding what tests and benches need …"
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@
