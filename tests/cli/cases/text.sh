# SPDX-License-Identifier: BSD-3-Clause
# All calls of a rank, of its second thread, and of a rank for which other arguments are
# significant.
"$REFRAIN" text --rank 0 small.refrain
"$REFRAIN" text --rank 1 --call 17 small.refrain
