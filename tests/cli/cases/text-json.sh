# SPDX-License-Identifier: BSD-3-Clause
# One object per line; definitions, threads, values before and after, missing results, bytes that
# are no text.
"$REFRAIN" text --json --definitions --rank 0 small.refrain
