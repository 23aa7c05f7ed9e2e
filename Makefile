# Every target sets up .venv itself. Nothing outside this folder changes, except that `make test` installs missing
# system packages.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PAGE := src/serai/web/index.html
# Tests start hundreds of processes, which share compiled bytecode.
unexport PYTHONDONTWRITEBYTECODE
SOURCES := $(shell find src/serai -name '*.py')
PAGE_SOURCES := $(shell find locales web -type f -not -path 'web/node_modules/*' -not -path 'web/tests/*')

.PHONY: play test soak ready lint bench gpu ladder docs setup lock clean messages screenshots pictures browser compiler network kit

play: $(VENV)/.play $(PAGE) $(VENV)/.compiling
	@$(BIN)/serai serve $(ARGS)

# Nobody waits for it: bots and hints that are asked for earlier are compiled then.
$(VENV)/.compiling: $(VENV)/.play $(SOURCES)
	@echo "compiling for speed in the background, once; you can play meanwhile"
	@nice $(BIN)/serai compile --quiet >/dev/null 2>&1 &
	@touch $@

setup: $(VENV)/.dev

# Lint runs beside the first tests; where it fails, what it says is printed at once. Tests wait for browsers and servers
# half of the time, so run three for every two processors.
test: ready
	@{ $(MAKE) --no-print-directory lint >$(VENV)/lint.log 2>&1 || { cat $(VENV)/lint.log; false; }; } & lint=$$!; \
	$(BIN)/python -m pytest -n $$(( ($$(nproc) * 3 + 1) / 2 )) --dist worksteal; tested=$$?; \
	wait $$lint && echo "lint passed" || { echo "lint failed: see $(VENV)/lint.log or run make lint"; exit 1; }; \
	exit $$tested

soak: ready network kit
	SERAI_SOAK=1 $(BIN)/python -m pytest -n auto --dist worksteal --timeout 5400

# What tests need, side by side: packages, the page, compiled games, browser and compiler.
ready: $(VENV)/.play
	@$(MAKE) --no-print-directory -j4 $(VENV)/.dev $(PAGE) $(VENV)/.compiled browser compiler

lint: $(VENV)/.dev $(VENV)/.page-linted
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m bench

# Compares games on GPU and CPU, and measures both; docs/gpu.md has a log.
gpu: $(VENV)/.dev
	$(BIN)/python -m bench gpu

# Plays all bots against each other and writes docs/ladder.md; can be stopped and continued. JOBS=8 uses eight processes.
ladder: $(VENV)/.dev
	$(BIN)/python -m ladder $(if $(JOBS),--jobs $(JOBS))

# Builds guides and reference in site/; open site/index.html.
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# Generates the TypeScript types of all messages.
messages: $(VENV)/.dev $(PAGE)
	$(BIN)/serai schema | $(BIN)/python hatch_build.py node tools/messages.js

screenshots: $(VENV)/.dev $(PAGE) browser
	$(BIN)/python -m tests.browser.screenshots

# Pictures of the installed page and of link previews.
pictures: $(VENV)/.dev $(PAGE) browser
	$(BIN)/python -m tests.browser.going_out

# The headless shell is the same browser without window management, which costs more than the pages under test.
browser:
	@command -v chromium-headless-shell >/dev/null \
		|| (apt-get update -q && apt-get install -q -y --no-install-recommends chromium-headless-shell) \
		|| command -v chromium >/dev/null

# For the host's kit: the proxies, the checks of alarms and of the compose file, and a root that stands for an image, as Debian has them.
kit: | network
	@command -v nginx >/dev/null && command -v caddy >/dev/null && command -v promtool >/dev/null \
		&& command -v debootstrap >/dev/null && command -v docker-compose >/dev/null \
		|| (apt-get update -q && apt-get install -q -y --no-install-recommends nginx-light caddy prometheus debootstrap \
			docker-compose)

# For the example bot in C. After the browser, since apt-get works for one at a time.
compiler: | browser
	@command -v cc >/dev/null || (apt-get update -q && apt-get install -q -y --no-install-recommends gcc libc6-dev)

# For tests with several hosts on this machine.
network: | compiler
	@command -v ip >/dev/null && test -x /usr/sbin/sshd && command -v openssl >/dev/null \
		|| (apt-get update -q && apt-get install -q -y --no-install-recommends iproute2 openssh-server openssl)

$(PAGE): $(PAGE_SOURCES) | $(VENV)/.play
	@$(BIN)/python hatch_build.py
	@touch $@

# Unchanged files are not checked again, as with mypy and ruff.
$(VENV)/.page-linted: $(PAGE) $(PAGE_SOURCES) $(shell find web/tests -type f)
	$(BIN)/python hatch_build.py node node_modules/svelte-check/bin/svelte-check --fail-on-warnings --tsconfig tsconfig.json
	$(BIN)/python hatch_build.py node node_modules/prettier/bin/prettier.cjs --check --log-level warn .
	@touch $@

# Compiles once what every test worker needs.
$(VENV)/.compiled: $(VENV)/.play $(SOURCES)
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

# Without compiling every module of every package to bytecode: most of them are never imported.
$(VENV)/.dev: $(VENV)/.play requirements-dev.lock
	@echo "Adding packages for tests and benches …"
	@$(PIP) --no-compile --require-hashes -r requirements-dev.lock
	@touch $@
