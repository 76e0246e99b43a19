# Every target works in a fresh clone: the first one that needs it makes .venv from constraints.txt.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DEV := $(VENV)/.dev-$(shell cat pyproject.toml constraints.txt | cksum | cut -d' ' -f1)
BENCH := $(VENV)/.bench-$(shell cat pyproject.toml constraints.txt | cksum | cut -d' ' -f1)

.PHONY: demo test test-long bench lint clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(DEV): $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@rm -f $(VENV)/.dev-*; touch $@

$(BENCH): $(DEV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,bench]'
	@rm -f $(VENV)/.bench-*; touch $@

demo: $(DEV)          ## records a real evening; shows settlement, audit and statistics
	@$(BIN)/mistigris demo

test: $(DEV) lint     ## lint, types and every test but the long ones
	$(BIN)/python -m pytest -n auto

test-long: $(DEV)     ## soak, fuzz and kill tests in full length
	$(BIN)/python -m pytest -n auto --dist worksteal -m long --durations 12

bench: $(BENCH)       ## speed as ratios to a baseline in the same run
	$(BIN)/python -m bench

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
