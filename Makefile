# tcpwhy.  `make help` lists the targets; CC, CFLAGS, CPPFLAGS, LDFLAGS, PREFIX and DESTDIR are
# respected; WERROR=1 makes warnings fatal; objects go to build/$(CONFIG).
CONFIG  ?= release
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
INSTALL ?= install
PKG_CONFIG ?= pkg-config
FUZZ_SECONDS ?= 60
DEMO ?= pcaps/ftp-get-window*.pcap

OUT := build/$(CONFIG)
BIN := $(if $(filter release,$(CONFIG)),tcpwhy,$(OUT)/tcpwhy)
LIB := $(OUT)/libtcpwhy.a
# The program but for main(), as an archive: a test takes from it only what it calls.
PROGRAM_LIB := $(OUT)/libprogram.a
PACKAGES := libpcap jansson zlib libzstd liblzma liblz4 libcap-ng

LIB_SRC  = $(wildcard capture/*.c analysis/*.c analysis/*/*.c report/*.c tui/*.c xmalloc.c)
MAIN_SRC = $(filter-out xmalloc.c,$(wildcard *.c))
TEST_SRC = $(wildcard tests/test_*.c)
FUZZ_SRC = $(wildcard tests/fuzz/fuzz_*.c)
LIB_OBJ  = $(LIB_SRC:%.c=$(OUT)/%.o)
MAIN_OBJ = $(MAIN_SRC:%.c=$(OUT)/%.o)
TEST_BIN = $(TEST_SRC:%.c=$(OUT)/%)
FUZZ_BIN = $(FUZZ_SRC:%.c=$(OUT)/%)
BENCH_BIN = $(patsubst %.c,$(OUT)/%,$(wildcard tests/bench/*.c))

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wconversion \
            -Wno-sign-conversion -Wpointer-arith -Wcast-qual -Wformat=2 $(if $(WERROR),-Werror)
SANITIZE_asan := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SANITIZE_fuzz := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
SANITIZE := $(SANITIZE_$(CONFIG))

# Asked of pkg-config once and only when something is compiled: `make deps` works without it.
PKG_CFLAGS = $(eval PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES)))$(PKG_CFLAGS)
PKG_LIBS   = $(eval PKG_LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES)) -lm)$(PKG_LIBS)
# The program is optimized as a whole where gcc can; its objects hold plain code too, for the tests.
LTO = $(eval LTO := $(if $(filter release,$(CONFIG)),$(shell $(CC) --version | grep -q 'Free Software' && \
          echo -flto=auto)))$(LTO)
COMPILE = $(CC) -std=c11 -D_DEFAULT_SOURCE -I. $(CPPFLAGS) $(PKG_CFLAGS) $(WARNINGS) $(CFLAGS) $(SANITIZE) \
          $(and $(LTO),$(LTO) -ffat-lto-objects)
LINK    = $(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS)
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
SUBMAKE  = $(MAKE) --no-print-directory $(PARALLEL)
Q := $(if $(V),,@)

# What is installed beside the program, each with its place below DATADIR.
PLACES := docs/tcpwhy.1=man/man1/tcpwhy.1 docs/tcpwhy.schema.json=tcpwhy/tcpwhy.schema.json \
          docs/completions/tcpwhy.bash=bash-completion/completions/tcpwhy \
          docs/completions/_tcpwhy=zsh/site-functions/_tcpwhy \
          docs/completions/tcpwhy.fish=fish/vendor_completions.d/tcpwhy.fish
INSTALLED := $(foreach p,$(PLACES),$(firstword $(subst =, ,$p)))
place = $(patsubst $1=%,%,$(filter $1=%,$(PLACES)))
define newline


endef

# Objects that a test or fuzzer asks for in its first line: /* needs: tests/trace.c */
needs = $(patsubst %.c,$(OUT)/%.o,$(wildcard $(shell sed -n '1s|^/\* needs: \(.*\) \*/.*|\1|p' $1)))

.PHONY: all demo check asan fuzz analyze bench score install uninstall deps deps-check clean help
.PHONY: test-binaries fuzz-binaries bench-binaries
.SECONDARY:
.DELETE_ON_ERROR:
.SECONDEXPANSION:

all: $(BIN)  ## build ./tcpwhy

$(BIN): $(MAIN_OBJ) $(LIB)
	@echo "  LD      $@"
	$(Q)$(LINK) $(LTO) -o $@ $(MAIN_OBJ) $(LIB) $(PKG_LIBS) $(LIBS)

$(LIB): $(LIB_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(PROGRAM_LIB): $(filter-out %/tcpwhy.o,$(MAIN_OBJ))
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(OUT)/%.o: %.c
	@echo "  CC      $<"
	$(Q)mkdir -p $(@D)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

$(OUT)/tests/test_%: $(OUT)/tests/test_%.o $$(call needs,tests/test_$$*.c) $(PROGRAM_LIB) $(LIB)
	$(Q)$(LINK) $(and $(LTO),-fno-lto) -o $@ $^ $(PKG_LIBS) $(LIBS) -lcmocka

$(OUT)/tests/fuzz/fuzz_%: $(OUT)/tests/fuzz/fuzz_%.o $$(call needs,tests/fuzz/fuzz_$$*.c) $(LIB)
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $^ $(PKG_LIBS) $(LIBS)

$(OUT)/tests/bench/%: $(OUT)/tests/bench/%.o
	$(Q)$(LINK) $(and $(LTO),-fno-lto) -o $@ $^ $(PKG_LIBS) $(LIBS)

test-binaries: $(TEST_BIN) $(BIN)
fuzz-binaries: $(FUZZ_BIN)
bench-binaries: $(BENCH_BIN)

demo: deps  ## say why a real transfer was slow
	@$(SUBMAKE) all >/dev/null
	./tcpwhy -r $(firstword $(wildcard $(DEMO)) $(DEMO))

check: deps-check  ## build everything and run every test
	@$(SUBMAKE) test-binaries
	@tests/run.sh $(OUT) ./$(BIN)

asan:  ## build with address and undefined-behaviour sanitizers and run the tests
	@$(MAKE) --no-print-directory check CONFIG=asan

fuzz:  ## run each fuzzer for FUZZ_SECONDS (60) with clang
	@command -v clang >/dev/null || \
	    { echo "fuzz: no clang. Run: apt-get install -y clang libclang-rt-dev" >&2; exit 1; }
	@$(SUBMAKE) fuzz-binaries CONFIG=fuzz CC=clang CFLAGS="-O1 -g"
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run.sh build/fuzz

analyze:  ## cppcheck and clang-tidy, warnings are errors
	@tests/analyze.sh

bench: all  ## CPU time against a bare libpcap loop and other tools (QUICK=1: a tenth)
	@$(SUBMAKE) bench-binaries
	@QUICK=$(QUICK) KEEP=$(KEEP) python3 tests/bench/bench.py $(OUT)/tests/bench ./$(BIN)

score: all  ## counts against what the kernel knew, for captures with a truth
	@python3 tests/score/score.py ./$(BIN)

install: all  ## copy program, manual, schema and completions below DESTDIR/PREFIX
	$(INSTALL) -D -m 755 $(BIN) $(DESTDIR)$(BINDIR)/tcpwhy
	$(foreach f,$(wildcard $(INSTALLED)),$(INSTALL) -D -m 644 $f $(DESTDIR)$(DATADIR)/$(call place,$f)$(newline))

uninstall:  ## remove what install copied
	rm -f $(DESTDIR)$(BINDIR)/tcpwhy $(foreach f,$(INSTALLED),$(DESTDIR)$(DATADIR)/$(call place,$f))

deps:  ## install the packages needed to build
	@tools/deps.sh build

deps-check:
	@tools/deps.sh build test

clean:  ## remove everything built
	rm -rf build tcpwhy

help:  ## this list
	@sed -n 's/^\([a-z]*\):[^#]*##  *\(.*\)/  make \1\t\2/p' Makefile | expand -t 20

$(OUT)/%.d: ;
-include $(LIB_OBJ:.o=.d) $(MAIN_OBJ:.o=.d) $(wildcard $(OUT)/tests/*.d $(OUT)/tests/*/*.d)
