# The commands of the README: `make run`, `make live` and `make test`. Each sets up what is missing first.
BUILD := build
# `make run` shows this scene under these methods, side by side.
SCENE ?= scenes/bar-5k.json
METHODS ?= si,glim
# `make live` shows these scenes; without any, a gallery.
LIVE ?=

.PHONY: run live test python petsc petsc-test sanitize golden site picture bench study curves materials clean

run: $(BUILD)/build.ninja
	cmake --build $(BUILD) --target brio_program
	./$(BUILD)/brio compare $(SCENE) --integrators $(METHODS) -o out

# The scenes of the gallery in a browser, to take in your hand; `make live LIVE=scenes/bar-1k.json` for one of your own.
live: $(BUILD)/build.ninja
	cmake --build $(BUILD) --target brio_program
	./$(BUILD)/brio live $(LIVE)

test: $(BUILD)/build.ninja
	@./tools/setup --tests
	cmake -B $(BUILD) -S . > /dev/null
	cmake --build $(BUILD) --target all brio_python
	ctest --test-dir $(BUILD) --output-on-failure --parallel 2

# The package for Python, into build/python: PYTHONPATH=build/python is enough to use it.
python: $(BUILD)/build.ninja
	@./tools/setup --python
	cmake -B $(BUILD) -S . > /dev/null
	cmake --build $(BUILD) --target brio_python

# The engine for many machines: build/libbrio_petsc.so, which build/brio finds beside itself.
petsc: $(BUILD)/build.ninja
	@./tools/setup --petsc
	cmake -B $(BUILD) -S . -DBRIO_PETSC=ON > /dev/null
	cmake --build $(BUILD) --target brio_program brio_petsc

# Its tests, on 1, 2, 3 and 4 ranks of this machine.
petsc-test: petsc
	cmake --build $(BUILD) --target test_petsc test_petsc_program
	ctest --test-dir $(BUILD) --output-on-failure --tests-regex '^petsc\.'

# The tests under sanitizers, and the fuzzers: hours on two cores. tools/sanitize runs parts of it (asan, scenes, tsan, fuzz, quick).
sanitize:
	@./tools/setup --tests
	./tools/sanitize

# Records what every scene does in its first steps anew (tests/golden): after a change that is meant to change results.
golden: $(BUILD)/build.ninja
	@./tools/setup --tests
	cmake --build $(BUILD) --target brio_program test_golden
	BRIO_GOLDEN=record ctest --test-dir $(BUILD) --output-on-failure --parallel 2 --tests-regex '^golden\.'
	git diff --stat -- tests/golden/table

site:
	@./tools/setup --site
	./tools/site

# The picture of the README is the page of `make run`.
picture: run
	./tools/screenshot out/compare.html docs/images/promise.webp --frame 0.54 --size 1500x990

bench: $(BUILD)/build.ninja
	cmake --build $(BUILD) --target brio_bench
	./$(BUILD)/bench/brio_bench --benchmark_counters_tabular=true

study: $(BUILD)/build.ninja
	cmake --build $(BUILD) --target ksiere_study
	./$(BUILD)/bench/ksiere_study $(BUILD)/ksiere_study
	python3 bench/ksiere_study.py $(BUILD)/ksiere_study docs/images

curves: $(BUILD)/build.ninja
	cmake --build $(BUILD) --target brio_program
	python3 bench/scene_curves.py $(BUILD)/brio $(BUILD)/scene_curves docs/images
	python3 bench/method_curves.py $(BUILD)/brio $(BUILD)/method_curves docs/images

materials: $(BUILD)/build.ninja
	cmake --build $(BUILD) --target brio_program
	python3 bench/material_curves.py $(BUILD)/brio $(BUILD)/material_curves docs/images

$(BUILD)/build.ninja:
	@./tools/setup
	cmake --preset release

clean:
	rm -rf build build-dev build-asan build-tsan out site
