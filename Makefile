# Daily entry points; the work is done by CMake and by scripts/.
.PHONY: build demo test python wheel deb page page-test bench fuzz lint format model languages reproduce clean

build:       ## the release program, at build/release/espalier
	@scripts/setup
	@scripts/build release
demo:        ## parse a sentence with the shipped model; make demo TEXT="Any sentence."
	@scripts/demo "$(TEXT)"
test:        ## every test that needs nothing outside the repository
	@scripts/test
python:      ## the Python package: installed into build/venv and tested
	@scripts/check/python
page:        ## build the page that espalier serve shows, page/dist, from its sources
	@scripts/make/page build
page-test:   ## the page's tests, in Chromium
	@scripts/make/page test
wheel:       ## Python wheels that need nothing else, into dist/, and their check
	@scripts/make/wheel
	@scripts/check/wheel
deb:         ## a Debian package of what is installed, into dist/
	@scripts/setup dpkg-dev
	@scripts/build release espalier_generated
	@cpack -G DEB --config build/release/CPackConfig.cmake -B build/deb
	@mkdir -p dist && cp build/deb/*.deb dist/
bench:       ## the kernels' benchmarks, and the shipped model's speed if the treebanks are there
	@scripts/measure/bench
fuzz:        ## every fuzzer for a minute (SECONDS_EACH=600 for ten)
	@scripts/check/fuzz
lint:        ## order of includes, formatting
	@scripts/lint
format:      ## put the sources into house style
	@git ls-files '*.h' '*.cc' | xargs clang-format -i
model:       ## train the English models of models/ anew
	@scripts/make/models
languages:   ## train those of other languages: models/languages.toml
	@scripts/make/languages
reproduce:   ## write the tables of docs/results; TRAIN=1 measures first what is missing, on $$ESPALIER_DATA
	@scripts/reproduce/all
clean:
	@rm -rf build
