# The commands of this project. The work itself is in CMakeLists.txt and scripts/.
#
#   make demo     the main job, end to end, on generated data
#   make test     everything that must pass
#   make build    the command, at build/thicket
#   make wheel    the Python package as a wheel, in build/dist; PYTHON=python3.12 for one wheel for 3.12 and later
#   make check    format, clang-tidy, the tests under sanitizers, half a minute of each fuzz target
#   make bench    speed and memory, with ratios
#   make format   lays out the sources
#   make clean    removes what the above made
#
# Each installs the packages it lacks first. SETUP=: leaves that out, where they come from somewhere else.

SETUP ?= scripts/setup
JOBS ?= $(shell nproc)
PYTHON ?= python3

.PHONY: build demo test wheel python-env check check-format check-tidy check-sanitize check-fuzz bench format clean setup setup-check

build: build/build.ninja
	@ninja -C build -j $(JOBS) thicket

demo: build
	@scripts/demo

# While packages of PyPI are being installed, all that needs none of them is compiled.
test: build/build.ninja
	@$(PYTHON_ENV) & ninja -C build -j $(JOBS); status=$$?; wait; exit $$status
	@$(USE_PYTHON_ENV)
	@ninja -C build -j $(JOBS)
	@ctest --test-dir build --output-on-failure --no-tests=error -j $(JOBS)

wheel: setup
	@scripts/wheel $(PYTHON)

# What the Python package needs from PyPI, in a virtual environment of the build directory. Without Python's headers, or without
# PyPI, everything but the Python package is built and tested.
python-env: build/build.ninja
	@$(PYTHON_ENV)
	@$(USE_PYTHON_ENV)

PYTHON_ENV = [ "$(SETUP)" = : ] || scripts/python_env build/python-env $(PYTHON) || :
USE_PYTHON_ENV = [ ! -f build/python-env/packages.txt ] || grep -q '^THICKET_PYTHON:BOOL=ON' build/CMakeCache.txt || \
  cmake -S . -B build -DTHICKET_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/build/python-env/bin/python

bench: build/build.ninja
	@ninja -C build -j $(JOBS) all benchmarks
	@scripts/bench

check: check-format check-tidy check-sanitize check-fuzz
	@echo "check: all passed"

check-format: setup-check
	@scripts/check format

check-tidy: setup-check
	@scripts/check tidy

check-sanitize: setup-check build/build.ninja
	@scripts/check sanitize

check-fuzz: setup-check
	@scripts/check fuzz

format: setup-check
	@scripts/check sources | xargs clang-format -i

clean:
	rm -rf build build-check build-wheel demo

setup:
	@$(SETUP)

setup-check:
	@$(SETUP) check

# Once configured, ninja itself notices new sources and changed CMake files. $(SETUP) still runs each time: a package
# may be gone, or be new on the list.
build/build.ninja: | setup
	@cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DTHICKET_BENCHMARKS=ON -DTHICKET_BATCH_SOURCES=ON

# The steps of check share one build directory and all cores: one at a time.
.NOTPARALLEL:
