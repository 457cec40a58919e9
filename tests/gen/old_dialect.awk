# SPDX-License-Identifier: BSD-3-Clause
# mpi-std as the older dialect has it: gen's list of it, then the wrappers that gen makes of it, for their prototypes.
#
#     awk -f old_dialect.awk [-v edition=…] LIST wrap_c.c
#
# Edition 4: as MPI 4 is rendered, with large counts. 3: as MPI 3. 2: as MPI 2.2, without const and with pointers for arrays.

FNR == NR { line[$1] = $0; next }

function tex(text) {
    gsub(/_/, "\\_", text)
    return text
}

# "comm=COMMUNICATOR,in,lis=inout" as a \funcarg; nothing for what C alone has.
function funcarg(word, part) {
    if (word ~ /,no-lis/ || word ~ /=VARARGS,/)
        return
    split(word, part, /[=,]/)
    if (match(word, /,lis=[a-z]*/))
        part[3] = substr(word, RSTART + 5, RLENGTH - 5)
    printf "\\funcarg{\\%s}{%s}{%s}\n", toupper(part[3]), tex(part[1]),
        word ~ /,root/ ? "value (integer,\n  significant only at root)" : "value (integer)"
}

function block(name, n, word, i) {
    n = split(line[name], word, " ")
    if (word[4] !~ /,lis/)
        return
    printf "\\begin{funcdef}{%s(…)}\n", toupper(tex(name))
    for (i = 5; i <= n; i++)
        funcarg(word[i])
    print "\\end{funcdef}"
}

function prototype(result, name, list) {
    if (edition == 2) {
        gsub(/const /, "", list)
        while (match(list, /[A-Za-z0-9_]*\[\][,)]/))
            list = substr(list, 1, RSTART - 1) "*" substr(list, RSTART, RLENGTH - 3) substr(list, RSTART + RLENGTH - 1)
    }
    gsub(/\.\.\./, "\\ldots", list)
    if (edition == 4)
        printf result == "int" ? "\\mpibindmain%s{%s}{%s}\n" : "\\mpibindnotintmain%s{%s}{%s}\n",
            result == "int" ? "" : "{" tex(result) "}", tex(name), tex(list)
    else if (name ~ /2c$|2f$|2f08$/)
        printf "\\mpiemptybindidx{%s%s}{%s}{%s}\n", tex(name), tex(list), tex(result), toupper(tex(name))
    else if (result == "int")
        printf "\\mpibind{%s%s}\n", tex(name), tex(list)
    else
        printf "\\mpibindnotint{%s %s%s}\n", tex(result), tex(name), tex(list)
}

/^GUARD_EXPORT.*\(MPI_[A-Za-z0-9_]*\)\(/ {
    sub(/^GUARD_EXPORT (GUARD_[A-Z]* )?/, "")
    match($0, /\(MPI_[A-Za-z0-9_]*\)/)
    result = substr($0, 1, RSTART - 2)
    name = substr($0, RSTART + 1, RLENGTH - 2)
    list = substr($0, RSTART + RLENGTH)
    large = line[name] ~ /,large/
    if (large && edition < 4)
        next
    if (!large)
        block(name)
    prototype(result, name, list)
}
