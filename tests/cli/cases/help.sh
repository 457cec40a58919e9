# SPDX-License-Identifier: BSD-3-Clause
# Help and version, in all places where they may be requested.
"$REFRAIN" --help
"$REFRAIN" text -h
"$REFRAIN" record --help
"$REFRAIN" --version | sed 's/ [0-9].*/ VERSION/; s/(unknown version)/VERSION/'
