#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Make ./configure from configure.ac. Needed once in a clone; tarballs have it.
set -e
cd "$(dirname "$0")"
for tool in autoconf automake pkg-config; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "autogen.sh: $tool is missing (Debian: apt-get install autoconf automake pkg-config)" >&2
        exit 1
    }
done
mkdir -p m4 # aclocal warns otherwise
exec autoreconf --install --warnings=all "$@"
