# SPDX-License-Identifier: BSD-3-Clause
# Inputs that several cases share: small, made by our own generator, and the same on every machine.

# sequences N LENGTH: prints lines "tI SEQUENCE", each made from an earlier one by mutations, as in
# related species
sequences() {
    awk -v n="$1" -v length_="$2" '
        function random(below) { state = (state * 1103 + 12345) % 65536; return int(state * below / 65536) }
        BEGIN {
            state = 7
            for (site = 0; site < length_; site++) sequence[0] = sequence[0] substr("ACGT", 1 + random(4), 1)
            for (i = 0; i < n; i++) {
                parent = sequence[i == 0 ? 0 : int((i - 1) / 2)]
                sequence[i] = ""
                for (site = 1; site <= length_; site++)
                    sequence[i] = sequence[i] (random(12) == 0 ? substr("ACGT", 1 + random(4), 1) : substr(parent, site, 1))
                print "t" i, sequence[i]
            }
        }'
}

phylip() { echo "$1 $2" && sequences "$1" "$2" | sed 's/ /        /'; }
fasta() { sequences "$1" "$2" | sed 's/^/>/; s/ /\n/'; }
nexus() {
    echo "#NEXUS"
    echo "begin data; dimensions ntax=$1 nchar=$2; format datatype=dna gap=- missing=?; matrix"
    sequences "$1" "$2"
    echo "; end;"
}

# reads LENGTH STEP: cuts a sequence into overlapping pieces of LENGTH, one each STEP letters, as
# FASTA
reads() {
    sequences 1 1200 | awk -v length_="$1" -v step="$2" '
        { for (at = 1; at + length_ <= 1 + length($2); at += step) printf ">r%d\n%s\n", at, substr($2, at, length_) }'
}
