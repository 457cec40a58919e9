# SPDX-License-Identifier: BSD-3-Clause
# One object a line; definitions, threads, before and after, nothing written, bytes that are no text.
"$REFRAIN" text --json --definitions --rank 0 small.refrain
