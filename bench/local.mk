EXTRA_DIST += bench/RESULTS.md bench/common.sh bench/real_programs.sh bench/stencil_sizes.sh
