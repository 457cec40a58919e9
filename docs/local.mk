EXTRA_DIST += docs/ARCHITECTURE.md docs/FORMAT.md docs/HACKING.md docs/LOOPS.md docs/MODEL.md docs/TEXT.md docs/refrain.svg
