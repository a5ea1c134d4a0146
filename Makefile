# `make` lists what there is. PYTHON chooses the interpreter: make demo PYTHON=python3.12
PYTHON ?= python3
PYTEST_ARGS ?= -n auto --maxprocesses 8

VENV := .venv
VENV7 := .venv-pymunk7
VENVO := .venv-oldest
BIN := $(VENV)/bin
SETUP := pyproject.toml constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo test check long bench oldest format clean system pymunk7 screen

help: ## list the targets
	@sed -n 's/^\([a-z0-9]*\):.*## \(.*\)/  make \1	\2/p' Makefile

demo: $(VENV)/.stamp ## set up and show what the twin can do
	@$(BIN)/twin demo

test: $(VENV)/.stamp-dev pymunk7 screen ## set up, then all checks and all tests
	@$(MAKE) --no-print-directory check
	@echo "running the tests …"
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

check: $(VENV)/.stamp-dev ## style, types and import contracts
	@echo "checking style …"
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@echo "checking types …"
	@$(BIN)/mypy --strict
	@echo "checking who imports whom …"
	@$(BIN)/lint-imports

# One trial, or a smaller size: make long LONG_ARGS="games --scale 0.01"
long: $(VENV)/.stamp-dev ## set up, then the trials that take an hour or more
	@$(BIN)/python -m tests.long $(LONG_ARGS)

bench: $(VENV)/.stamp-dev ## run the benchmarks
	@$(BIN)/python -m benchmarks all

oldest: $(VENVO)/.stamp ## try the oldest dependencies that are allowed, on Python 3.11
	@TWIN_CACHE=$(CURDIR)/$(VENVO)/cache $(VENVO)/bin/python -m pytest $(PYTEST_ARGS) $(OLDEST_TESTS)

format: $(VENV)/.stamp-dev ## format the code and mend what can be mended
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format

clean: ## remove the environments and all caches
	rm -rf $(VENV) $(VENV7) $(VENVO) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find twin tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

system: ## install the system packages that are missing
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) must be Python 3.11 or newer; choose another one with make PYTHON=…" >&2; exit 1; }
	@if $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then :; \
	elif ! command -v apt-get >/dev/null; then \
		echo "$(PYTHON) can't make virtual environments: please install its venv module" >&2; exit 1; \
	elif [ "$$(id -u)" = 0 ]; then \
		echo "installing the system package python3-venv …"; \
		apt-get update -qq && apt-get install -y -qq python3-venv; \
	elif command -v sudo >/dev/null; then \
		echo "installing the system package python3-venv with sudo …"; \
		sudo apt-get update -qq && sudo apt-get install -y -qq python3-venv; \
	else \
		echo "the system package python3-venv is missing, and only root may install it: please install it" >&2; exit 1; \
	fi

$(VENV)/.stamp: $(SETUP) | system
	@echo "setting up $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq -c constraints.txt -e '.[atlas,calibrate,viewer,pettingzoo]' || \
		{ echo "without atlas, calibrate, viewer and pettingzoo, which could not be installed …"; \
		$(BIN)/python -m pip install -qq -c constraints.txt -e .; }
	@touch $@

$(VENV)/.stamp-dev: $(SETUP) | system
	@echo "setting up $(VENV) with the development tools …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.stamp

# Without a package registry in reach there is no second environment; the test that needs it then skips and says so.
pymunk7: | system
	@if [ -n "$$(find $(VENV7)/.stamp -newer pyproject.toml -newer constraints-pymunk7.txt 2>/dev/null)" ]; then :; else \
		echo "setting up $(VENV7), to compare with pymunk 7 …"; \
		if $(PYTHON) -m venv $(VENV7) && $(VENV7)/bin/python -m pip install -qq -c constraints-pymunk7.txt -e .; \
		then touch $(VENV7)/.stamp; \
		else rm -rf $(VENV7); echo "$(VENV7) could not be set up; going on without the comparison with pymunk 7"; fi; \
	fi

# Tests in which numbers, arrays, files and pictures go through other packages; arcade has one version only.
# Their cache is their own: other versions give force tables other last bits.
PYTHON311 ?= python3.11
OLDEST_TESTS := tests/board tests/calibrate tests/drawing tests/environment tests/explore tests/outcome tests/physics \
	tests/reports tests/test_caches.py
$(VENVO)/.stamp: pyproject.toml constraints-oldest.txt
	@echo "setting up $(VENVO) …"
	@$(PYTHON311) -m venv --clear $(VENVO)
	@$(VENVO)/bin/python -m pip install -qq -c constraints-oldest.txt -e '.[atlas,cluster,calibrate,pettingzoo,openspiel]' \
		pytest pytest-timeout pytest-xdist hypothesis
	@touch $@

# What the tests of the window need: a screen that nobody sees. Without it they skip and say so.
SCREEN := xvfb xauth libegl1 libgl1 libfontconfig1 xdotool
screen:
	@if command -v Xvfb >/dev/null && command -v xauth >/dev/null && command -v xdotool >/dev/null && ldconfig -p | grep -q libEGL.so.1 && \
		ldconfig -p | grep -q libGL.so.1 && ldconfig -p | grep -q libfontconfig.so.1; then :; \
	elif ! command -v apt-get >/dev/null; then echo "without $(SCREEN) the tests of the window are skipped"; \
	else \
		if [ "$$(id -u)" = 0 ]; then sudo=; else sudo="sudo -n"; fi; \
		echo "installing the system packages $(SCREEN) …"; \
		{ $$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
			--no-install-recommends $(SCREEN) >/dev/null; } || \
			echo "they could not be installed; the tests of the window are skipped"; \
	fi
