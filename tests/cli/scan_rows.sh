# SPDX-License-Identifier: BSD-3-Clause
# For scan.sh here and in tests/mpi: the expected output of `refrain scan`, found in another way.
# $refrain is the command.
recount=$top_builddir/tests/cli/recount

# Prints each construct of a model with its kind: "3.1.2 message". Reads `refrain model --json`.
constructs() {
    jq -r 'reduce .constructs[] as $c ({n: {}, path: {}, out: []};
            ($c.in | tostring) as $in | ($c.id | tostring) as $id | .n[$in] += 1 |
            .path[$id] = (if $c.in == null then "" else .path[$in] + "." end) + (.n[$in] | tostring) |
            .out += ["\(.path[$id]) \($c.kind)"]) | .out[]'
}

# Prints the events of all ranks, by their calls: "rank,thread,event,call,tag,function", for
# messages and collective operations of the functions that these traces have.
events_of_calls() { # TRACE
    "$refrain" text "$1" >calls.text && "$recount" events calls.text
}

# Prints the same from `refrain scan`, construct by construct, without the indices.
events_of_constructs() { # TRACE
    "$refrain" model --json "$1" | constructs | while read -r at kind; do
        [ "$kind" = loop ] || "$refrain" scan --at "$at" --values tag,function "$1" | sed 1d |
            awk -F, -v OFS=, '{ print $1, $2, $(NF - 3), $(NF - 2), $(NF - 1), $NF }'
    done
}
in_order() { sort -t, -k1,1n -k2,2n -k3,3n; }
all_events() { # TRACE
    events_of_calls "$1" | in_order >calls.csv && events_of_constructs "$1" | in_order >constructs.csv && [ -s calls.csv ] &&
        diff calls.csv constructs.csv
}

# A range prints the rows of each of its constructs; the first four are compared. In $tmp.
range_is_its_constructs() { # TRACE PATH OPTION…
    local trace=$1 last=${2##*.} at rows=
    local around=${2%"$last"} first=${last%-*} end=${last#*-}
    shift 2
    "$refrain" scan --at "$around$last" "$@" "$trace" >"$tmp/whole.csv" && [ "$(wc -l <"$tmp/whole.csv")" -gt 1 ] || return 1
    if [ "$end" -gt $((first + 3)) ]; then
        end=$((first + 3))
        "$refrain" scan --at "$around$first-$end" "$@" "$trace" >"$tmp/whole.csv" || return 1
    fi
    for at in $(seq "$first" "$end"); do
        "$refrain" scan --at "$around$at" "$@" "$trace" >"$tmp/rows.$around$at" || return 1
        rows="$rows $around$at $tmp/rows.$around$at"
    done
    "$recount" range "$tmp/whole.csv" $rows
}
# Prints the first range in the model's lines, if there is one.
a_range() { # TRACE
    "$refrain" model --paths "$1" | awk '$1 ~ /-/ { print $1; exit }'
}

# A program made by --emit-c prints the same as `refrain scan`. The library is installed into
# install/ once.
install_reader() {
    make -s -C "$top_builddir" install-readerDATA install-includeHEADERS install-readerpkgconfigDATA DESTDIR="$PWD/install" &&
        [ -n "$(flags_of_reader)" ]
}
flags_of_reader() {
    PKG_CONFIG_SYSROOT_DIR=$PWD/install PKG_CONFIG_PATH=$(dirname "$(find install -name refrain-reader.pc)") \
        pkg-config --cflags --libs refrain-reader
}
scanner() { # TRACE OPTION…
    local trace=$1
    shift
    "$refrain" scan "$@" "$trace" >rows.csv && "$refrain" scan "$@" --emit-c "$trace" >scanner.c &&
        ${CC:-cc} $SANITIZE -Wall -Wextra -Werror -O1 -o scanner scanner.c $reader_flags && ./scanner "$trace" >scanned.csv || return 1
    [ "$(wc -l <rows.csv)" -gt 1 ] && cmp rows.csv scanned.csv
}
