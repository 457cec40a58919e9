#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes the readers of files: make fuzz, or in a build directory  srcdir=… tests/fuzz/fuzz.sh
#
# Builds libcore and libdecoder in ./fuzz with clang, ASan, UBSan and libFuzzer's instrumentation,
# makes initial inputs, and runs each target. Ends with 1 at the first finding; its input is then in
# ./fuzz/findings.
#
# The set-up is fast, so most of the time goes into the reader and the commands: one thread, scratch
# files in memory, no tables of comparisons, small buffers for OTF2.
#
# From the environment:
#   FUZZ_TIME     seconds for each target (600)
#   FUZZ_TARGETS  which: reader, merge, refrain-COMMAND (all of them)
#   FUZZ_TRACES   further initial traces
# The number of executions of each run is added to ./fuzz/executions.
srcdir=$(cd "${srcdir:-.}" && pwd) || exit 2
FUZZ_CC=${FUZZ_CC:-clang}
command -v "$FUZZ_CC" >/dev/null || { echo "fuzz: needs clang with libFuzzer (Debian: apt-get install clang)" >&2; exit 2; }
flags='-O2 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'
# Counters only: examining each comparison costs a third of the time, and the mutator knows the
# format.
coverage=-fsanitize-coverage=inline-8bit-counters,pc-table

mkdir -p fuzz/findings && cd fuzz || exit 2
if [ ! -f Makefile ]; then
    "$srcdir/configure" --quiet --without-mpi --enable-debug CC="$FUZZ_CC" CFLAGS="$flags $coverage" || exit 2
fi
make -s src/core/libcore.a decoder/libdecoder.a tests/fuzz/seeds tests/cli/make_trace || exit 2

# The libraries of the decoder, as configure found them.
libraries=$(printf 'include Makefile\nlibraries:\n\t@echo $(DECODER_LIBS)\n' | make -s -f - libraries | tail -1) || exit 2
commands='text info stat messages loops model matrix topology logical waits critical scan timeline report diff verify merge otf2 chrome'
targets=${FUZZ_TARGETS:-reader merge $(printf 'refrain-%s ' $commands)}
here=$srcdir/tests/fuzz
case $libraries in
*open-trace-format2*) buffers="$here/otf2_buffers.c -Wl,--wrap=OTF2_Archive_Open" ;;
*) buffers= ;;
esac
# build PROGRAM MUTATOR: builds it if something is newer than the program
build() {
    [ -n "$(find "$here" src/core/libcore.a decoder/libdecoder.a -name corpus -prune -o -type f -newer "fuzz_$1" -print 2>&1)" ] || return 0
    # shellcheck disable=SC2086 # lists of words
    "$FUZZ_CC" -std=c11 -D_GNU_SOURCE $flags -fsanitize=fuzzer -iquote "$srcdir" -o "fuzz_$1" "$here/$1.c" "$here/size.c" \
        "$srcdir/tests/unit/support/loop_models.c" "$srcdir/tests/unit/support/scan_checks.c" "$here/image.c" "$here/mutate.c" \
        "$here/mutate_$2.c" $buffers $libraries
}
build reader reader && build merge merge && build commands reader || exit 2

mkdir -p seeds/reader seeds/merge
tests/cli/make_trace seeds/made.refrain seeds/made.raw 3 4 || exit 2
# shellcheck disable=SC2086
tests/fuzz/seeds seeds/reader seeds/merge seeds/made.refrain ${FUZZ_TRACES-} || exit 2

memory=/dev/shm
[ -w $memory ] || memory=${TMPDIR:-/tmp}
TMPDIR=$(mktemp -d "$memory/refrain-fuzz.XXXXXX") || exit 2
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 2' INT TERM
export TMPDIR REFRAIN_THREADS=1 ASAN_OPTIONS=quarantine_size_mb=8:malloc_context_size=8

for target in $targets; do
    case $target in
    refrain-*)
        program=commands seeds=reader corpus="$here/corpus/reader $here/corpus/commands"
        export FUZZ_COMMAND="${target#refrain-}"
        ;;
    reader) program=reader seeds=reader corpus="$here/corpus/reader $here/corpus/commands" ;;
    *) program=$target seeds=$target corpus=$here/corpus/$target ;;
    esac
    mkdir -p "corpus/$target"
    # The targets' messages are of no interest (-close_fd_mask); claims and sanitizers have their
    # own way out.
    # shellcheck disable=SC2086 # a list of folders
    nice -n 10 "./fuzz_$program" "corpus/$target" "seeds/$seeds" $corpus \
        -max_total_time="${FUZZ_TIME:-600}" -entropic=0 -max_len=8192 -timeout=30 \
        -rss_limit_mb=1024 -malloc_limit_mb=400 -close_fd_mask=2 -print_final_stats=1 -artifact_prefix=findings/ >"$target.log" 2>&1
    status=$?
    n=$(sed -n 's/^stat::number_of_executed_units: *//p' "$target.log" | tail -1)
    echo "$(date -u +%FT%TZ) $target ${n:-?} executions, status $status" | tee -a executions
    [ "$status" -eq 0 ] || { tail -40 "$target.log"; exit 1; }
done
