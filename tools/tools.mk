# SPDX-License-Identifier: BSD-2-Clause
# Manual pages, installation, packages.

MAN_SRC := $(sort $(wildcard tools/man/*.1.scd))
MAN := $(MAN_SRC:tools/man/%.scd=$(BUILD)/man/%)
COMPLETION := $(addprefix tools/completion/,lacuna.bash _lacuna lacuna.fish)
SCHEMA := analyses/report/lacuna-1.schema.json

# the date in the pages; the same sources give the same bytes
MAN_EPOCH := 1796040000

$(BUILD)/man/options.tsv: $(PROGRAM)
	@mkdir -p $(@D)
	@$(PROGRAM) help --list >$@
# `install` shows the page's name without its suffix
$(BUILD)/man/%: tools/man/%.scd tools/man/options.awk $(BUILD)/man/options.tsv
	$(SAY)awk -f tools/man/options.awk \
		-v cmd=$(patsubst lacuna-%.1,%,$*) $(BUILD)/man/options.tsv $< | \
		SOURCE_DATE_EPOCH=$(MAN_EPOCH) scdoc >$@
man: $(MAN) ## the manual pages

# liblacuna.so: the public interface and what it stands on
SO_VERSION := 0
SO := $(BUILD)/liblacuna.so.$(SO_VERSION)
SO_SRC := $(filter $(addprefix analyses/,$(addsuffix /%,base object dbginfo \
	layout lacuna)),$(LIB_SRC))
SO_OBJ := $(SO_SRC:%.c=$(BUILD)/pic/%.o)
SO_MAP := analyses/lacuna/lacuna.map
$(BUILD)/pic/%.o: %.c
	@mkdir -p $(@D)
	$(SAY)$(CC) $(ALL_CFLAGS) -fPIC -MMD -MP -c -o $@ $<
# sanitizers' run times are the program's
$(SO): $(SO_OBJ) $(SO_MAP)
	$(SAY)$(CC) $(ALL_LDFLAGS) -shared -Wl,-soname,$(@F) \
		-Wl,--version-script=$(SO_MAP) $(if $(SAN),,-Wl,-z,defs) \
		-Wl,--as-needed -o $@ $(SO_OBJ) $(LIBS)
lib: $(SO) ## the shared library
-include $(SO_OBJ:.o=.d)

bindir = $(DESTDIR)$(PREFIX)/bin
libdir = $(DESTDIR)$(PREFIX)/lib
includedir = $(DESTDIR)$(PREFIX)/include
libexecdir = $(DESTDIR)$(PREFIX)/libexec/lacuna
datadir = $(DESTDIR)$(PREFIX)/share
INSTALL = install

install: all man lib ## PREFIX=/usr/local, DESTDIR= for packages
	$(INSTALL) -d $(bindir) $(libexecdir) $(datadir)/man/man1 \
		$(datadir)/lacuna $(datadir)/doc/lacuna \
		$(datadir)/bash-completion/completions \
		$(datadir)/zsh/site-functions \
		$(datadir)/fish/vendor_completions.d
	$(INSTALL) -m 755 $(PROGRAM) $(bindir)/lacuna
	$(INSTALL) -d $(libdir)/pkgconfig $(includedir) \
		$(datadir)/doc/lacuna/examples
	$(INSTALL) -m 644 $(SO) $(libdir)/
	ln -sf $(notdir $(SO)) $(libdir)/liblacuna.so
	$(INSTALL) -m 644 analyses/lacuna/lacuna.h $(includedir)/
	sed 's,@PREFIX@,$(PREFIX),; s,@VERSION@,$(VERSION),' tools/lacuna.pc.in \
		>$(libdir)/pkgconfig/lacuna.pc
	$(INSTALL) -m 644 tools/example/holes.c $(datadir)/doc/lacuna/examples/
	for f in $(BUILD)/fixtures/*; do case $$f in \
		*/slab-torture*) ;; \
		*) if [ -x $$f ]; then m=755; else m=644; fi; \
		   $(INSTALL) -m $$m $$f $(libexecdir)/ || exit 1 ;; \
		esac; done
	$(INSTALL) -m 644 $(MAN) $(datadir)/man/man1/
	$(INSTALL) -m 644 $(SCHEMA) $(datadir)/lacuna/
	$(INSTALL) -m 644 LICENSE $(wildcard README.md CHANGELOG.md) \
		$(datadir)/doc/lacuna/
	$(INSTALL) -m 644 tools/completion/lacuna.bash \
		$(datadir)/bash-completion/completions/lacuna
	$(INSTALL) -m 644 tools/completion/_lacuna $(datadir)/zsh/site-functions/
	$(INSTALL) -m 644 tools/completion/lacuna.fish \
		$(datadir)/fish/vendor_completions.d/

uninstall: ## what install put there
	rm -f $(bindir)/lacuna $(MAN:$(BUILD)/man/%=$(datadir)/man/man1/%) \
		$(datadir)/bash-completion/completions/lacuna \
		$(datadir)/zsh/site-functions/_lacuna \
		$(datadir)/fish/vendor_completions.d/lacuna.fish
	rm -f $(libdir)/$(notdir $(SO)) $(libdir)/liblacuna.so \
		$(libdir)/pkgconfig/lacuna.pc $(includedir)/lacuna.h
	rm -rf $(libexecdir) $(datadir)/lacuna $(datadir)/doc/lacuna

DIST := lacuna-$(VERSION)
# the repository's files, or all there are in an unpacked tarball, in the same
# bytes whenever it is made
dist: ## build/lacuna-VERSION.tar.gz, which builds and passes its tests
	@mkdir -p $(BUILD)
	{ if [ -e .git ]; then git ls-files -z; else find . -path ./build \
		-prune -o -type f -printf '%P\0'; fi; } | LC_ALL=C sort -z | \
	tar --null --files-from=- --transform 's,^,$(DIST)/,' --owner=0 \
		--group=0 --numeric-owner --mtime=@$(MAN_EPOCH) -cf - | \
		gzip -n9 >$(BUILD)/$(DIST).tar.gz
DISTCHECK ?= test
distcheck: dist ## the tarball, unpacked, built and tested (DISTCHECK=unit: less)
	rm -rf $(BUILD)/distcheck
	mkdir -p $(BUILD)/distcheck
	tar -xzf $(BUILD)/$(DIST).tar.gz -C $(BUILD)/distcheck
	cd $(BUILD)/distcheck/$(DIST) && env -u BUILD -u MAKEFLAGS \
		$(MAKE) -j$$(nproc) BUILD=build all $(DISTCHECK) && \
		$(MAKE) BUILD=build dist
	cmp $(BUILD)/$(DIST).tar.gz \
		$(BUILD)/distcheck/$(DIST)/build/$(DIST).tar.gz

deb: all man lib ## build/lacuna_VERSION_ARCH.deb
	sh tools/deb.sh $(BUILD) $(VERSION)

.PHONY: man lib install uninstall dist distcheck deb
