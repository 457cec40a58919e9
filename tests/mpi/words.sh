#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Data of the program itself (refrain.h), compiled as users do: in C, C++ and Fortran,
# position-independent or not, with and without the tracer; and its use in each command.
# tests/mpi/regions.c has all kinds of such data.
#
# From the environment: srcdir, MPI_NAME, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
user=$srcdir/src/user source=$srcdir/tests/mpi/words.c
strict='-Wall -Wextra -Werror -pedantic -Wno-long-long'

start() { LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 2 "$@" </dev/null; }
# Output that two ranks print at the same time may share a line.
untraced() { start "./$1" >said 2>&1 && [ "$(tr -d '\n' <said)" = donedone ] || { cat said; return 1; }; }
traced() { rm -f "$1.refrain" && start "$refrain" record -o "$1.refrain" "./$1" >said 2>&1 && [ -s "$1.refrain" ] || { cat said; return 1; }; }

# Prints the calls of rank 1 without differences between MPI libraries and languages.
words() { "$refrain" text --rank 1 "$1.refrain" | sed 's/^[0-9 ]*//' | grep -v 'MPI_Init\|MPI_Allreduce'; }
cat >wanted <<'END'
MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=1) = MPI_SUCCESS
MPI_Comm_size(comm=MPI_COMM_WORLD, size=2) = MPI_SUCCESS
refrain_topology_cart(ndims=2, dims=[2, 1], periodic=[1, 0], names=["x", "y"])
refrain_topology_coords(coords=[1, 0])
refrain_note(key="input", value="sphere.in")
END
for step in 1 2 3 4 5 6 7 8 9 10; do
    cat >>wanted <<'END'
refrain_region_begin(name="step")
MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS
refrain_region_begin(name="solve")
MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS
refrain_region_end(name="solve")
refrain_region_end(name="step")
END
done
cat >>wanted <<'END'
MPI_Pcontrol(level=3) = MPI_SUCCESS
MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS
MPI_Pcontrol(level=1) = MPI_SUCCESS
MPI_Finalize() = MPI_SUCCESS
END
tells() { words "$1" | diff - wanted; }
# There are two or more call sites: the caller is the program, not the header.
sites() { [ "$("$refrain" stat --by site --json "$1.refrain" | grep -o '"function":"refrain_region_begin"' | wc -l)" -ge 2 ]; }

# ---- C and C++
in_c() { $mpicc -std=c99 $strict -I"$user" "$@" "$source"; }
in_cxx() { $mpicc -x c++ $strict -Wno-cast-function-type -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I"$user" "$@" "$source"; }
for how in "c -O0" "c -O2" "c -O2 -no-pie -fno-pie" "cxx -O2" "cxx -O0 -no-pie -fno-pie"; do
    set -- $how
    name=$(echo "$how" | tr -d ' ')
    check "$how: compiles" in_"$@" -o "$name"
    check "$how: runs without the tracer" untraced "$name"
    check "$how: is traced" traced "$name"
    check "$how: says what it says" tells "$name"
    check "$how: from where it says it" sites "$name"
done
disabled() { in_c -O2 -DREFRAIN_DISABLE -o disabled && traced disabled && ! words disabled | grep refrain_; }
check "nothing at all, if it is disabled" disabled
# In C89, with and without the tracer's functions.
in_c89() { ${CC:-cc} -std=c89 -O0 -pedantic -Wall -Wextra -Werror -I"$user" "$@" -o alone "$srcdir/tests/mpi/words_alone.c" -ldl; }
own_error() { ./alone >said && grep '/no/such/library: cannot open' said || { cat said; return 1; }; }
for how in "-pie -fPIE" "-no-pie -fno-pie" -DREFRAIN_DISABLE; do
    check "C89 $how: compiles" in_c89 $how
    check "C89 $how: errors of the program are its own" own_error
done
linked() { in_c -o linked -L"$top_builddir/src" -Wl,-rpath,"$top_builddir/src" -Wl,--no-as-needed -lrefrain; }
linked_tells() { REFRAIN_OUTPUT=linked.refrain start ./linked && tells linked; }
check "linked with the tracer" linked
check "it says the same" linked_tells

# ---- Fortran
in_fortran() { $mpifort "$@" -o "fortran$name" "$user/refrain.f90" "$srcdir/tests/mpi/words_f.F90"; }
# The module's region_end has no name for the inner region.
fortran_tells() { words "$1" | sed 's/region_end(name=NULL)/region_end(name="solve")/' | diff - wanted; }
if [ -n "$mpifort" ]; then
    for how in -O0 "-O2 -no-pie -fno-pie"; do
        name=$(echo "$how" | tr -d ' ')
        check "Fortran $how: compiles" in_fortran $how
        check "Fortran $how: runs without the tracer" untraced "fortran$name"
        check "Fortran $how: is traced" traced "fortran$name"
        check "Fortran $how: says what it says" fortran_tells "fortran$name"
        check "Fortran $how: from where it says it" sites "fortran$name"
    done
    long() { $mpifort -fdefault-integer-8 -J . -o long "$user/refrain.f90" "$srcdir/tests/mpi/words_long.F90"; }
    long_traced() {
        rm -f long.refrain && start "$refrain" record -o long.refrain ./long >said 2>&1 || { cat said; return 1; }
        "$refrain" text --rank 1 long.refrain | sed -n 's/.*\(refrain_topology[^(]*\)/\1/p' | diff long.wanted -
    }
    cat >long.wanted <<'END'
refrain_topology_cart(ndims=3, dims=[4, 5, 6], periodic=[1, 0, 1], names=NULL)
refrain_topology_coords(coords=[1, 2, 3])
refrain_topology_cart(ndims=1, dims=[7], periodic=[0], names=["x"])
refrain_topology_coords(coords=[6])
END
    check "Fortran, integers of eight bytes: compiles" long
    check "Fortran, integers of eight bytes: runs without the tracer" start ./long
    check "Fortran, integers of eight bytes: says what it says" long_traced
fi

# ---- what is made of it
trace=c-O2.refrain
cat >stat.wanted <<'END'
step 20 60 20
solve 20 40 40
MPI_Pcontrol(3) 2 6 6
null 2 8 8
END
sums() {
    "$refrain" stat --by region --json "$1" | jq -r '.regions[] | "\(.region) \(.visits) \(.calls) \(.own_calls)"' | sort >stat &&
        sort stat.wanted | diff stat -
}
check "stat" sums $trace
own_times() {
    "$refrain" stat --by region --json "$trace" | jq -e '.regions | (map(select(.region == "step"))[0]) as $step |
        (map(select(.region == "solve"))[0]) as $solve | $step.time_ns > $solve.time_ns and $solve.time_ns >= $solve.mpi_ns and
        $step.own_time_ns == $step.time_ns - $solve.time_ns and $step.own_mpi_ns == $step.mpi_ns - $solve.mpi_ns'
}
check "times are own ones and all" own_times
info() {
    "$refrain" info --json $trace | jq -e '
        .topology == [{"dimension": "x", "size": 2, "periodic": "yes"}, {"dimension": "y", "size": 1, "periodic": "no"}] and
        .topology_placed == 2 and .notes == [{"note": "input", "value": "sphere.in", "ranks": 2, "first": 0}]'
}
check "info" info
# Each region encloses its calls.
chrome() {
    "$refrain" chrome $trace | jq -e '[.traceEvents[] | select(.ph == "X")] as $all | [$all[] | select(.cat == "region")] as $regions |
        ($regions | length) == 42 and ([$all[] | select(.name | startswith("refrain_region"))] | length) == 0 and
        ([$regions[] | select(.name == "solve") | . as $inner | [$regions[] | select(.name == "step" and .pid == $inner.pid and
            .ts <= $inner.ts and .ts + .dur >= $inner.ts + $inner.dur)] | length] | all(. == 1))'
}
check "chrome" chrome
loops() {
    "$refrain" loops --rank 0 $trace >loops && grep -A6 'for i0 = 1 to 10' loops | diff - - <<'END'
for i0 = 1 to 10
  0 local region_begin step
  0 sync MPI_Barrier MPI_COMM_WORLD
  0 local region_begin solve
  0 sync MPI_Allreduce MPI_COMM_WORLD
  0 sync MPI_Barrier MPI_COMM_WORLD
  0 local region_end solve
END
}
check "loops" loops
model() { "$refrain" model --paths $trace >model && grep -F '0, 1 local region_begin step' model && grep -F 'local MPI_Pcontrol 3' model; }
check "model" model
timeline() {
    "$refrain" timeline -o words.svg $trace && grep -q '<g class="regions">' words.svg && "$refrain" timeline -o words.html $trace &&
        grep -q '"names":\["step","solve","MPI_Pcontrol(3)"\]' words.html
}
check "timeline" timeline
# Enter and Leave are balanced and as many as the visits.
otf2() {
    rm -rf archive && "$refrain" otf2 -o archive $trace && otf2-print archive/traces.otf2 >archive.text &&
        for region in step solve 'MPI_Pcontrol(3)'; do
            entered=$(grep -c "^ENTER.*\"$region\"" archive.text) left=$(grep -c "^LEAVE.*\"$region\"" archive.text)
            wanted=$(awk -v region="$region" '$1 == region { print $2 }' stat.wanted)
            [ "$entered" = "$wanted" ] && [ "$left" = "$wanted" ] || { echo "$region: $entered $left"; return 1; }
        done && ! grep 'refrain_region' archive.text
}
# began CALL: prints when the first call of rank 0 from that number on began, since the beginning of
# the run (text counts from the rank's own beginning)
began() {
    "$refrain" chrome -o calls.json $trace && jq --argjson call "$1" \
        '[.traceEvents[] | select(.ph == "X" and .pid == 0 and .args.call >= $call)] | min_by(.args.call).ts / 1e6' calls.json
}
# A span of time that begins and ends inside regions.
otf2_span() {
    from=$(began 24) to=$(began 45)
    rm -rf archive && "$refrain" otf2 --from "$from" --to "$to" -o archive $trace && otf2-print archive/traces.otf2 >archive.text &&
        for region in step solve; do
            entered=$(grep -c "^ENTER.*\"$region\"" archive.text) left=$(grep -c "^LEAVE.*\"$region\"" archive.text)
            [ "$entered" -ge 2 ] && [ "$entered" -lt 20 ] && [ "$entered" = "$left" ] || { echo "$region: $entered $left"; return 1; }
        done
}
if command -v otf2-print >/dev/null && "$refrain" otf2 --help >/dev/null; then
    check "otf2" otf2
    check "otf2, of a span of time" otf2_span
fi

# ---- other ways to record
without_times() { start "$refrain" record --timing off -o off.refrain ./c-O2 && sums off.refrain && "$refrain" stat --by region off.refrain | grep 'no times'; }
check "without times" without_times
means() { start "$refrain" record --timing aggregate -o means.refrain ./c-O2 && sums means.refrain && "$refrain" stat --by region means.refrain | grep 'made of means'; }
check "with means" means
picked() { start "$refrain" record --functions MPI_Allreduce -o picked.refrain ./c-O2 && "$refrain" text picked.refrain >picked && ! grep MPI_Barrier picked && [ "$(grep -c refrain_region picked)" = 80 ]; }
check "whatever functions are picked" picked
aborted() {
    ! start "$refrain" record -o aborted.refrain ./c-O2 abort >said 2>&1
    "$refrain" merge -o merged.refrain aborted.refrain.parts >said 2>&1 || { cat said; return 1; }
    "$refrain" stat --by region --json merged.refrain | jq -e '.regions | map(select(.region == "abort"))[0].visits >= 1' &&
        "$refrain" stat --by region merged.refrain | grep 'not ended'
}
check "of a run that aborts" aborted
finish
