# SPDX-License-Identifier: BSD-2-Clause
# lacuna.  `make help` lists what there is.
#
#   BUILD=DIR   where everything built goes (one per compiler and sanitizer)
#   SAN=LIST    -fsanitize=LIST for the product and its tests
#   V=1         show every command
CC ?= cc
BUILD ?= build
SAN ?=
PREFIX ?= /usr/local
DESTDIR ?=
VERSION := 0.1.0

O = $(if $(SAN),-O1 -fno-omit-frame-pointer,-O2)
CFLAGS ?= $(O) -g
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wvla -Wformat=2 \
	-Wno-format-truncation -Wno-unknown-warning-option -Werror
# libdwarf keeps its headers in a folder of its own, whose name has changed
DWARF_CFLAGS := $(shell pkg-config --cflags libdwarf 2>/dev/null || \
	echo -isystem /usr/include/libdwarf)
XML_CFLAGS := $(shell pkg-config --cflags libxml-2.0 2>/dev/null || \
	echo -isystem /usr/include/libxml2)
# the sandbox is there where libseccomp is
SECCOMP := $(shell pkg-config --exists libseccomp 2>/dev/null && echo yes)
# debug files from servers, where libdebuginfod is
DEBUGINFOD := $(shell pkg-config --exists libdebuginfod 2>/dev/null && echo yes)
DEFS = $(if $(SECCOMP),-DLAC_HAVE_SECCOMP) \
	$(if $(DEBUGINFOD),-DLAC_HAVE_DEBUGINFOD) -D_GNU_SOURCE -DLAC_VERSION='"$(VERSION)"'
SANFLAGS = $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all)
ALL_CFLAGS = -std=gnu17 $(DEFS) $(WARN) -I. -Ianalyses -Itools \
	$(DWARF_CFLAGS) $(XML_CFLAGS:-I%=-isystem %) -pthread $(CFLAGS) $(SANFLAGS)
ALL_LDFLAGS = -pthread $(LDFLAGS) $(SANFLAGS)
# libxml2 and libpfm are loaded by the runs that need them: base/library.h
LIBS = $(if $(SECCOMP),-lseccomp) -ldwarf -lelf -lbpf -lz -lzstd -lpopt \
	-ljansson -lm

# in front of a recipe's first command: what is made, or with V=1 the command
SAY = $(if $(V),,@echo "  $@";)

LIB_SRC := $(sort $(wildcard analyses/*/*.c))
TOOL_SRC := $(sort $(wildcard tools/*.c))
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/obj/%.o)
TOOL_OBJ := $(TOOL_SRC:%.c=$(BUILD)/obj/%.o)
LIBRARY := $(BUILD)/liblacuna.a
PROGRAM := $(BUILD)/lacuna

.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
all: $(PROGRAM) ## the program and what it runs (the default)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(SAY)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(LIBRARY): $(LIB_OBJ)
	@rm -f $@
	$(SAY)$(AR) rcs $@ $^
$(PROGRAM): $(TOOL_OBJ) $(LIBRARY)
	$(SAY)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

-include fixtures/fixtures.mk
-include tools/tools.mk
include tests/tests.mk

report: all ## run the main job on the allocator library, into build/report/
	@$(PROGRAM) report --into $(BUILD)/report
	@echo && echo "The same report as files:" && ls -1 $(BUILD)/report/*

deps: ## install the Debian packages that are missing
	sh tools/setup.sh deps
clean: ## remove everything built
	rm -rf build
help: ## this list
	@awk -F '## ' '/^[a-z-]+:.*## /{split($$1, t, ":"); \
		printf "  make %-15s %s\n", t[1], $$2}' $(MAKEFILE_LIST) | sort

-include $(LIB_OBJ:.o=.d) $(TOOL_OBJ:.o=.d)
.PHONY: all report deps clean help
