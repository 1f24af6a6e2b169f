# make demo    the main job on real input: build the data of JOI Sokoban, judge every reference solution
# make test    lint, types and the suite: a fixed sample of every proof, at most 10 minutes on two cores
# make test-all  everything: the long proofs too; its outcome goes into docs/proofs.md
PYTHON ?= python3
BIN := .venv/bin
# Else each of the many commands that tests start would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all lint setup wheel clean

demo: setup
	$(BIN)/harness list
	$(BIN)/harness generate sokoban
	$(BIN)/harness judge sokoban

test: lint
	$(BIN)/pytest -n 2 -m "not slow"

test-all: lint
	$(BIN)/pytest -n 2

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

setup: .venv/.ready

.venv/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "harness needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "Python's venv module is missing: apt install python3-venv"; exit 2; }
	@command -v c++ >/dev/null || command -v g++ >/dev/null || \
	  { echo "a C++ compiler is missing: apt install g++, or dnf install gcc-c++"; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# A wheel that carries the launcher, static, so that its users need no C compiler. Built from what is committed.
# For aarch64: make wheel ARCH=aarch64 CC=aarch64-linux-gnu-gcc (apt install gcc-aarch64-linux-gnu)
ARCH ?= $(shell uname -m)
wheel: setup
	rm -rf build/wheel && mkdir -p build/wheel && git archive HEAD | tar -x -C build/wheel
	cd build/wheel/harness/sandbox && $(CC) -std=gnu11 -O2 -Wall -Wextra -s -static -o launcher-$(ARCH) launcher.c
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist build/wheel \
	  --config-settings=--build-option=--plat-name=manylinux_2_17_$(ARCH)

clean:
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache problems/*/data/secret problems/*/data/.build.json
