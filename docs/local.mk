# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += docs/ARCHITECTURE.md docs/FORMAT.md docs/GLOSSARY.md docs/HACKING.md docs/LIMITS.md docs/LOGICAL.md docs/PEERS.md \
    docs/MODEL.md docs/TEXT.md docs/TUTORIAL.md docs/model-halo.svg docs/model-master.svg docs/model-ring.svg \
    docs/model-transpose.svg docs/model-wave.svg docs/refrain.svg docs/report-overview.png docs/report-timeline.png \
    docs/report-waiting.png docs/sweep.svg
