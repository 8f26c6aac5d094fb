# SPDX-License-Identifier: BSD-2-Clause
# How the tests are built and run.  `make test` tests one build; `make check`
# tests every build that is promised.
#
#   unit/    cmocka programs, one a module: test_NAME.c
#   cli/     *.bats: the command line; $LACUNA is the program under test
#   oracle/  *.bats: against compilers, pahole, cachegrind
#   fuzz/    fuzz_NAME.c: a libFuzzer target; corpus/NAME replays as a test

UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
UNIT := $(UNIT_SRC:tests/%.c=$(BUILD)/tests/%)
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
REPLAY := $(FUZZ_SRC:tests/%.c=$(BUILD)/tests/%)

$(UNIT): $(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(SAY)$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka $(LIBS)
$(REPLAY): $(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(BUILD)/obj/tests/fuzz/replay.o $(LIBRARY)
	@mkdir -p $(@D)
	$(SAY)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# the program frame with commands that misbehave, for cli/main and cli/output
FAKE := $(BUILD)/tests/fake
FAKE_OBJ := $(filter-out %/commands.o $(BUILD)/obj/tools/cmd_%,$(TOOL_OBJ)) \
	$(BUILD)/obj/tests/cli/fake_commands.o $(BUILD)/obj/tests/cli/fake_demo.o
$(FAKE): $(FAKE_OBJ) $(LIBRARY)
	@mkdir -p $(@D)
	$(SAY)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# helpers of the oracles: programs of their own
ORACLE := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/oracle/*.c))
$(ORACLE): $(BUILD)/tests/%: tests/%.c
	@mkdir -p $(@D)
	$(SAY)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< -ljansson

tests: $(UNIT) $(REPLAY) $(FAKE) $(ORACLE)
test: all tests ## run the tests on one build (BUILD=, CC=, SAN=)
	sh tests/run.sh $(BUILD)
unit: $(UNIT) ## run the unit tests only
	CMOCKA_MESSAGE_OUTPUT=TAP prove --quiet --exec "sh tests/one.sh" $(UNIT)
check: ## everything: gcc, clang, sanitizers, layering
	sh tests/check.sh
kernels: ## fetch a real Debian debug vmlinux (KERNELS=flavours)
	sh tests/kernels.sh $(KERNELS)
check-kernels: all ## every record of those kernels against pahole
	sh tests/check-kernels.sh $(PROGRAM)
# big-endian, 32-bit, and both: what a reader for x86-64 alone gets wrong
FOREIGN := s390x:s390x 686:i386 armmp:armhf
check-foreign: all ## the same for a big-endian and two 32-bit kernels
	sh tests/kernels.sh $(FOREIGN)
	LACUNA_VMLINUX="$$(ls $(foreach k,$(FOREIGN),build/kernels/vmlinux-*-$(firstword $(subst :, ,$k))))" \
		sh tests/check-kernels.sh $(PROGRAM)

-include $(FAKE_OBJ:.o=.d)
-include $(UNIT_SRC:%.c=$(BUILD)/obj/%.d) $(FUZZ_SRC:%.c=$(BUILD)/obj/%.d)
.PHONY: tests test unit check kernels check-kernels check-foreign

# Timed side by side with the peers; never a part of `check`.
PAIRED := $(BUILD)/tests/bench/paired
$(PAIRED): tests/bench/paired.c tests/bench/median.h
	@mkdir -p $(@D)
	$(SAY)$(CC) $(ALL_CFLAGS) -o $@ $<
# the reader itself, on part of the units
UNITS := $(BUILD)/tests/bench/units
$(UNITS): $(BUILD)/obj/tests/bench/units.o $(LIBRARY)
	@mkdir -p $(@D)
	$(SAY)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
-include $(BUILD)/obj/tests/bench/units.d
bench: all $(PAIRED) $(UNITS) ## time lacuna against its peers, side by side
	LACUNA=$(CURDIR)/$(PROGRAM) PAIRED=$(CURDIR)/$(PAIRED) \
		UNITS=$(CURDIR)/$(UNITS) \
		sh tests/bench/run.sh
.PHONY: bench

# libFuzzer on every target, FUZZ_SECONDS each; what it finds interesting goes
# to build/fuzz/corpus, what breaks a target to build/fuzz/NAME-crash-*.
FUZZ_SECONDS ?= 60
FUZZ ?= $(FUZZ_SRC:tests/fuzz/fuzz_%.c=%)
$(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)
fuzz-programs: $(FUZZ:%=$(BUILD)/fuzz/%)
fuzz: ## fuzz every reader (FUZZ_SECONDS=60 each, FUZZ="NAME...")
	$(MAKE) CC=clang BUILD=build/fuzz \
		SAN=address,undefined,fuzzer-no-link fuzz-programs
	@set -e; for t in $(FUZZ); do \
		mkdir -p build/fuzz/corpus/$$t; \
		echo "fuzz: $$t, $(FUZZ_SECONDS) s"; \
		build/fuzz/fuzz/$$t -max_total_time=$(FUZZ_SECONDS) \
			-print_final_stats=1 -verbosity=0 \
			-artifact_prefix=build/fuzz/$$t- \
			build/fuzz/corpus/$$t tests/fuzz/corpus/$$t; \
	done
.PHONY: fuzz fuzz-programs

# clang-tidy says its word once for each file and again when the file changes.
TIDY := $(patsubst %.c,build/lint/%.ok,$(LIB_SRC) $(TOOL_SRC))
build/lint/%.ok: %.c .clang-tidy
	@mkdir -p $(@D)
	@if command -v clang-tidy >/dev/null 2>&1; then \
		clang-tidy --quiet $< -- $(ALL_CFLAGS) 2>build/lint/log || \
		{ cat build/lint/log; exit 1; }; fi
	@touch $@
lint: lint-quick $(TIDY) ## clang-tidy, cppcheck, shellcheck, codespell
lint-quick: ## the same without clang-tidy: seconds
	sh tests/lint.sh
.PHONY: lint lint-quick
