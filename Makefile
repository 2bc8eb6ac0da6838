# storespec. `make` lists the targets.

STORE ?= auto
SYSTEMS ?= familyscheduler actions lovehunt c4lendar calendsync
VERIFIED ?= $(SYSTEMS)
LANES ?=
FLAGS ?=
MINUTES ?= 60
GC := 400# percent that the heaps of compilers, linters and tests grow before they are collected: a fourth less time
LONGEST := ./cmd/storespec ./internal/verify ./internal/search/explore ./reference/lovehunt# packages with the longest tests, started first: started last, they would leave a core idle
TOOL := go tool -modfile=.ci/tools.mod
override GOFLAGS += -tags=pebblegozstd# Pebble's zstd in Go: with the one in C, each build runs gcc, and each link a second linker
export GOFLAGS

.PHONY: help setup build dist spec mutants vacuity explore test lint bench soak man

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install what the rules and the tests need, and start Docker (Debian and Ubuntu; as root or with sudo)
	.ci/setup.sh test

build: ## bin/storespec and bin/storespec-reference
	go build -trimpath -o bin/ ./cmd/...

dist: ## dist/: archives for linux, macOS and Windows, the same bytes whoever builds the commit; needs a clean tree
	rm -rf dist
	go run ./internal/dev/dist

spec: ## all rules of all systems against the reference servers; STORE=auto: a container where Docker answers, else embedded; or embedded, azurite, container, workerd, account
	$(if $(filter auto container,$(STORE)),.ci/prepared.sh spec) go run ./cmd/storespec verify $(VERIFIED) --store $(STORE) $(if $(LANES),--parallel $(LANES)) $(FLAGS)

mutants: ## prove that each rule can fail: run wrong reference servers
	go run ./cmd/storespec mutants $(SYSTEMS) $(FLAGS)

vacuity: ## show that every rule can fail: run them against servers that never touch a store
	for system in $(SYSTEMS); do go run ./cmd/storespec vacuity $$system || exit 1; done

explore: ## walk at random through the reference servers, each beside itself
	set -e; for system in $(SYSTEMS); do go run ./cmd/storespec explore $$system $(FLAGS); done

test lint: export GOGC := $(GC)
test: export GORACE := atexit_sleep_ms=0# else each program that a test starts sleeps 1 s before it exits

test: ## the tests, with the race detector, a line for each package as it ends; JSON=FILE also writes the events of go test
	.ci/prepared.sh test $(TOOL) gotestsum --format pkgname --hide-summary=skipped $(if $(JSON),--jsonfile $(JSON)) -- \
		-race -vet=off -p 3 -parallel 4 -timeout 40m $(FLAGS) $(LONGEST) ./... # make lint vets

lint: ## formatting and lint, also of the workflows; types on Windows
	linter=$$($(TOOL) -n golangci-lint) && GOFLAGS="$$GOFLAGS -race" $$linter run # with -race, so that the tests find their packages compiled
	$(TOOL) actionlint -shellcheck= .github/workflows/*.yml fixtures/starter/servers/*/.github/workflows/*.yml
	go run -modfile=.ci/tools.mod ./.ci/typecheck windows ./cmd/... # no test runs there

bench: ## measure the emulator beside its peers, into docs/notes/benchmarks.md; what the gateway costs per storage call; the dashboard of the reference; large calendars
	go run ./internal/dev/bench
	go test -run '^$$' -bench . ./internal/wire
	go test -run '^$$' -bench Trace ./internal/trace
	go test -run '^$$' -bench MyGroups ./reference/familyscheduler
	go test -run '^$$' -bench . ./reference/calendsync

soak: ## MINUTES (60) of load on the emulator, killed and out of disk space on the way, and on each reference server: nothing may grow or be lost; on Linux
	go run ./internal/dev/soak --minutes $(MINUTES) $(FLAGS)

man: ## a man page for each command and each guide, below bin/man
	go run ./cmd/storespec docs man bin/man
