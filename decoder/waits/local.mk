# SPDX-License-Identifier: BSD-3-Clause
# Wait states: rooms in the order of their dependencies.
EXTRA_DIST += decoder/waits/README.md
include decoder/waits/windows/local.mk
include decoder/waits/values/local.mk
include decoder/waits/search/local.mk
include decoder/waits/patterns/local.mk
include decoder/waits/report/local.mk
