# SPDX-License-Identifier: BSD-3-Clause
# For the shell tests: one line for each check, and the closing line.
#   check NAME COMMAND…   runs the command; its output is shown when it fails
#   finish                prints "took N s, C s of CPU" and "N passed, N failed", and exits accordingly
passed=0 failed=0 tap_start=$(date +%s)

check() {
    check_name=$1
    shift
    if check_output=$("$@" 2>&1); then
        passed=$((passed + 1))
        echo "ok - $check_name"
    else
        failed=$((failed + 1))
        echo "not ok - $check_name"
        printf '%s\n' "$check_output" | head -40 | sed 's/^/    /'
    fi
}

finish() {
    # `times` has a line for the shell and one for its children; it must not run in a subshell.
    times >"${TMPDIR:-/tmp}/times.$$"
    tr 'ms\n' '   ' <"${TMPDIR:-/tmp}/times.$$" | awk -v took=$(($(date +%s) - tap_start)) '{
        for (i = 1; i < NF; i += 2) cpu += 60 * $i + $(i + 1)
        printf "took %d s, %.0f s of CPU\n", took, cpu }'
    rm -f "${TMPDIR:-/tmp}/times.$$"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}
