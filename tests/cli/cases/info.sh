# SPDX-License-Identifier: BSD-3-Clause
# The contents of a trace; the tests of the format check sizes.
"$REFRAIN" info long.refrain | sed '/^bytes/d; /^section/,$d; /^groups/d; /^rows/d; /^columns/d; /^rules/d; /^symbols/d'
"$REFRAIN" info --json small.refrain | jq -c 'del(.bytes, .sections, .rows, .groups, .columns, .rules, .symbols)'
# The stored sections and the file's own header are the whole file.
size=$(wc -c <small.refrain)
"$REFRAIN" info --json small.refrain | jq -c "[.bytes == $size, (.sections | map(.stored) | add) < $size]"
# Control characters in a name do not break its line.
"$MAKE_TRACE" odd.refrain odd.raw 1 1 "$(printf './a\nranks 7\033[1m \\ \377')" && "$REFRAIN" info odd.refrain | grep -A1 '^command'
"$REFRAIN" info "$(printf 'no\nfile')" 2>&1
