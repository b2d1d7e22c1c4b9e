# make up     set up everything and start Fleet Twin; Ctrl-C stops it
# make test   set up the tests and run them all, with lint and types (what CI runs)
# make lint   format, lint, types and templates only
# make bench  jobs simulated a second on this machine
# make lock   resolve the dependencies again (needs uv)
# make clean  remove the environment and caches; the data in var/ stays

PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
sum = $(firstword $(shell cat $(1) 2>/dev/null | cksum))

# A stamp is named after the content it stands for: a changed lock or engine is a missing stamp.
RUN_STAMP := $(VENV)/complete-run-$(call sum,requirements.lock)
TEST_STAMP := $(VENV)/complete-test-$(call sum,requirements-dev.lock)
ENGINE_STAMP := $(VENV)/engine-$(call sum,requirements.lock $(sort $(wildcard twin/*.py twin/*/*.py twin/*/*/*.py)))

.PHONY: up test lint bench lock clean
.NOTPARALLEL:
.DEFAULT_GOAL := up

up: $(RUN_STAMP) $(ENGINE_STAMP)
	@exec $(BIN)/python manage.py up

test: $(TEST_STAMP) $(ENGINE_STAMP)
	@scripts/test-tools.sh
	@$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest -n 2 --dist loadgroup

lint: $(TEST_STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/python manage.py makemigrations --check --dry-run

bench: $(RUN_STAMP) $(ENGINE_STAMP)
	$(BIN)/python -m twin bench

lock:
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -o requirements.lock
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -o requirements-dev.lock

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUN_STAMP):
	@PYTHON="$(PYTHON)" scripts/environment.sh $(VENV) requirements.lock run $@

$(TEST_STAMP):
	@PYTHON="$(PYTHON)" scripts/environment.sh $(VENV) requirements-dev.lock test $@

$(ENGINE_STAMP):
	@echo "Compiling the simulator (once for each version of it)"
	@$(BIN)/python -m twin.engine.compile
	@rm -f $(VENV)/engine-*; touch $@
