PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup demo test test-all
.DEFAULT_GOAL := help

help:
	@echo "make setup     virtual environment .venv with everything for development"
	@echo "make demo      a slice of the English Wikipedia becomes a DiscoFuse dataset in out/demo"
	@echo "make test      the tests (minutes);  make test-all  with the slow ones"

setup: $(VENV)/.ready

$(VENV)/.ready: setup.py constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

demo: setup
	$(BIN)/gistmill discofuse --config corpora/discofuse-demo.yaml \
	  --input "$$($(BIN)/python -m benchmarks.slice)" --output out/demo --overwrite --workers 2

test: setup
	$(BIN)/python -m pytest

test-all: setup
	$(BIN)/python -m pytest -m ''
