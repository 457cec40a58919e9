#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Compares the call sites of `refrain text --callsite` with those that the program prints.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"

# build DIR FLAG…: builds the program and its library
build() {
    local dir=$1
    shift
    mkdir -p "$dir" &&
        "$mpicc" -std=c11 -g -Wall -Wextra -Werror "$@" -fPIC -shared -o "$dir/libcallsites.so" \
            "$srcdir/tests/mpi/callsites_library.c" &&
        "$mpicc" -std=c11 -g -Wall -Wextra -Werror "$@" -o "$dir/callsites" "$srcdir/tests/mpi/callsites.c" \
            -L"$dir" -lcallsites -Wl,-rpath,'$ORIGIN'
}

# record DIR [OPTION…]: leaves the trace and the program's output in DIR
record() {
    local dir=$1
    shift
    mkdir -p raw && rm -f raw/* &&
        timeout "$limit" "$mpirun" $flags -n 1 "$refrain" record "$@" --verify raw -o "$dir/trace.refrain" \
            "$dir/callsites" >"$dir/said" 2>"$dir/errors" </dev/null
    local status=$?
    cat "$dir/errors"
    [ $status -eq 0 ] && [ ! -s "$dir/errors" ] && "$refrain" verify "$dir/trace.refrain" raw >verified
}

# sites DIR [OPTION…]: prints "FUNCTION SITE" for each call; stderr must be empty
sites() {
    local dir=$1
    shift
    "$refrain" text --callsite "$@" "$dir/trace.refrain" 2>errors |
        sed -E 's/^0  [0-9]+  (MPI_[A-Za-z_]+)\(.*\) = MPI_SUCCESS  at /\1 /' >sites
    [ ! -s errors ] || { cat errors; return 1; }
}

# Compares the whole path; or the innermost caller with the functions into which it is inlined.
paths_agree() { sites "$@" && [ -s sites ] && diff "$1/said" sites; }
callers_agree() {
    sites "$@" && [ -s sites ] && diff <(sed '/^MPI_Comm_size/! s/ < .*//' "$1/said") sites
}

# Checks that only module and offset are known.
bare() {
    [ "$(wc -l <sites)" -eq "$(wc -l <"$1/said")" ] &&
        ! grep -vE '^MPI_\w+ (libcallsites\.so|callsites)\+0x[0-9a-f]+$' sites
}
# The dynamic symbols remain: functions that the library exports still have names.
named_only() {
    sites "$@" && grep -qE '^MPI_Barrier library_barrier \(libcallsites\.so\+0x[0-9a-f]+\)$' sites &&
        sed -i -E '/^MPI_Barrier/ s/library_barrier \((.*)\)/\1/' sites && bare "$1"
}

# Prints the numbers of calls of a function's call sites, in ascending order.
counts() {
    "$refrain" stat --by site --json "$1/trace.refrain" |
        jq -c "[.sites[] | select(.function == \"$2\") | .calls] | sort" >counts
    [ "$(cat counts)" = "$3" ] || { cat counts; return 1; }
}

check "PIE: compiles" build pie -O0 -fPIE -pie
check "PIE: runs" record pie
check "PIE: innermost callers" callers_agree pie
check "one call site for all callers" counts pie MPI_Comm_set_name '[5]'
check "PIE, whole paths: runs" record pie --callpath
check "PIE: whole paths" paths_agree pie
check "a call site for each path" counts pie MPI_Comm_set_name '[1,1,3]'
# A site of more than 60 characters has its figures below it.
in_table() {
    "$refrain" stat --by site pie/trace.refrain | grep -A1 -E "^MPI_Barrier +library_barrier \(.* < main \(.*\)$" |
        grep -E "^ {60,}1 "
}
check "stat prints call sites" in_table
in_json() {
    "$refrain" text --json --callsite -f MPI_Comm_size pie/trace.refrain |
        jq -r '.site[] | [.function, .line, .inlined, .module, (.offset | type)] | @csv' >json &&
        sed -E 's/ < /\n/g; s/MPI_Comm_size //' <(grep MPI_Comm_size pie/said) |
        sed -E 's/^(\w+) \(callsites\.c:([0-9]+)\)$/"\1",\2,true,"callsites","number"/; $ s/true//' | diff - json
}
check "JSON has places with those inlined" in_json

check "no PIE, optimised: compiles" build fixed -O2 -fno-pie -no-pie
check "no PIE: runs" record fixed
check "no PIE: innermost callers" callers_agree fixed
check "no PIE, whole paths: runs" record fixed --callpath
check "no PIE: whole paths" paths_agree fixed

# method FLAG…: checks that a method is printed with its class, with debugging information or only
# the linker's name
method() {
    mkdir -p method &&
        "$mpicc" -std=gnu11 "$@" -o method/method "$srcdir/tests/mpi/callsites_method.c" &&
        timeout "$limit" "$mpirun" $flags -n 1 "$refrain" record -o method/trace.refrain method/method </dev/null &&
        "$refrain" text --callsite -f MPI_Barrier method/trace.refrain >sites || return 1
    cat sites
    grep -qE '  at Solver::exchange \((callsites_method.c:9|method\+0x[0-9a-f]+)\)$' sites
}
check "a method, debugging information" method -g
check "a method, the linker's name" method -g0

# Some compilers write debugging information without an index of addresses.
unindexed() {
    cp -r pie unindexed && objcopy --remove-section=.debug_aranges pie/callsites unindexed/callsites &&
        ! readelf -SW unindexed/callsites | grep -q debug_aranges
}
check "no index of addresses: is made" unindexed
check "no index of addresses" paths_agree unindexed --modules unindexed

check "stripped: is made" eval 'cp -r fixed stripped && strip stripped/callsites stripped/libcallsites.so'
check "stripped: runs" record stripped
check "stripped: names that are exported, modules and offsets" named_only stripped
check "stripped: another directory has symbols" callers_agree stripped --modules fixed

check "gone: is made" eval 'cp -r fixed gone'
check "gone: runs" record gone
check "gone: files are deleted" rm gone/callsites gone/libcallsites.so
said_gone() {
    ! sites gone && bare gone && cat errors && [ "$(wc -l <errors)" -eq 2 ] &&
        [ "$(grep -c "$PWD/gone/.* does not exist any more" errors)" -eq 2 ]
}
check "gone: modules and offsets, one warning for each file" said_gone
check "gone: copies" callers_agree gone --modules fixed

warned_once() {
    ! sites "$@" && bare "$1" && cat errors && [ "$(wc -l <errors)" -eq 2 ] &&
        [ "$(grep -c 'is not the build that ran' errors)" -eq 2 ] && grep -q ' callsites is' errors &&
        grep -q libcallsites.so errors
}
check "rebuilt: compiles" build rebuilt -O0
check "rebuilt: runs" record rebuilt
check "rebuilt: callers before" callers_agree rebuilt
check "rebuilt: compiles again" build rebuilt -O1
check "rebuilt: one warning for each file, nothing wrong" warned_once rebuilt
# Ranks run different programs with one name: the line of an offset cannot be known.
mixed() {
    timeout "$limit" "$mpirun" $flags -n 1 "$refrain" record -o mixed.refrain pie/callsites : \
        -n 1 "$refrain" record -o mixed.refrain fixed/callsites >said </dev/null &&
        "$refrain" text --callsite mixed.refrain >sites 2>errors || return 1
    cat errors
    [ "$(wc -l <errors)" -eq 2 ] && [ "$(grep -c 'ranks ran different builds' errors)" -eq 2 ] &&
        [ "$(wc -l <sites)" -eq "$(wc -l <said)" ] &&
        ! grep -vE ' at (libcallsites\.so|callsites)\+0x[0-9a-f]+$' sites
}
check "different builds on two ranks: warnings, nothing wrong" mixed
programs() {
    cp pie/callsites pie/other &&
        timeout "$limit" "$mpirun" $flags -n 1 "$refrain" record -o programs.refrain pie/callsites : \
            -n 2 "$refrain" record -o programs.refrain pie/other >said </dev/null &&
        "$refrain" info --json programs.refrain | jq -c .programs >said &&
        [ "$(cat said)" = '[{"program":"callsites","ranks":"0"},{"program":"other","ranks":"1-2"}]' ] || { cat said; return 1; }
}
check "two programs: info names both" programs

check "PIE: runs again" record pie
check "a directory of other builds: passed over" callers_agree pie --modules rebuilt
check "whole paths: handles have the same numbers" env REFRAIN_CALLPATH=full REFRAIN="$refrain" srcdir="$srcdir" \
    COVERED="$tmp/covered" top_builddir="$top_builddir" sh "$srcdir/tests/mpi/run.sh" "$top_builddir/tests/mpi/irregular"
finish
