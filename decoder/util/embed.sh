#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints C code: files, one after another, as an array of bytes with its size.
#
#   embed.sh HEADER ARRAY FILE… [-- ARRAY FILE…]     HEADER declares `const unsigned char ARRAY[]`,
#                                                    `const size_t ARRAY_size`
set -e
echo "#include \"$1\""
shift
while [ $# -gt 0 ]; do
    array=$1
    shift
    echo "const unsigned char $array[] = {"
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        od -An -v -t x1 "$1" | sed 's/[0-9a-f][0-9a-f]/0x&,/g'
        shift
    done
    [ $# -eq 0 ] || shift
    echo "};"
    echo "const size_t ${array}_size = sizeof $array;"
done
