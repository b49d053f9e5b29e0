# The two commands of the README: `make run` and `make test`. Each sets up what is missing first.
BUILD := build
SCENE ?= scenes/bar-5k.json

.PHONY: run test bench build setup clean

run: build
	./$(BUILD)/brio run $(SCENE) -o out

test: build
	ctest --test-dir $(BUILD) --output-on-failure --parallel 2

bench: build
	./tools/bench $(BUILD)

build: setup
	@cmake --preset release > $(BUILD)-configure.log 2>&1 || { cat $(BUILD)-configure.log; exit 1; }
	@rm -f $(BUILD)-configure.log
	cmake --build $(BUILD)

setup:
	@./tools/setup

clean:
	rm -rf build build-dev build-asan build-tsan out
