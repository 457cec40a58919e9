# SPDX-License-Identifier: BSD-3-Clause
# Topologies: rooms in the order of their dependencies.
EXTRA_DIST += decoder/topology/README.md
include decoder/topology/identify/local.mk
include decoder/topology/survey/local.mk
include decoder/topology/view/local.mk
