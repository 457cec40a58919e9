# SPDX-License-Identifier: BSD-3-Clause
# Checks every #include of the files that are its arguments against the list of rooms, which comes first.
#
#     awk -f dependencies.awk rooms.list FILE…      in the top directory; prints "FILE:LINE: what is wrong"
#
# A line of the list is "FOLDER: FOLDER…": a room and those that its files may include. Each room stands below all that it may
# include, so there are no circles. Beside rooms, a line has "mpi" (mpi.h may be included) and "generated" (made by the build).
function wrong(what) {
    print FILENAME ":" FNR ": " what
}
function folder_of(path) {
    return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "."
}
function is_file(path,    line, there) {
    if (!(path in known)) {
        there = (getline line < path) >= 0
        close(path)
        known[path] = there
    }
    return known[path]
}

NR == FNR {
    sub(/#.*/, "")
    if (NF == 0) next
    room = $1
    if (!sub(/:$/, "", room)) wrong("no colon after " $1)
    if (room in listed) wrong(room " is listed twice")
    for (i = 2; i <= NF; i++) {
        if ($i != "mpi" && $i != "generated" && !($i in listed)) wrong(room " may use " $i ", which is not above it in the list")
        allowed[room, $i] = FNR
    }
    listed[room] = FNR
    next
}

FNR == 1 {
    here = folder_of(FILENAME)
    if (!(here in listed)) wrong("the folder is not in the list of rooms")
}

/^[ \t]*#[ \t]*include[ \t]*[<"]mpi(f|f-ext)?\.h[>"]/ {
    used[here, "mpi"] = 1
    if (!((here, "mpi") in allowed)) wrong(here " may not include mpi.h")
    next
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    path = $0
    sub(/^[^"]*"/, "", path)
    sub(/".*/, "", path)
    if (path ~ /(^|\/)\.\.?\//) {
        wrong("a relative path: " path)
        next
    }
    there = folder_of(path)
    if (there == ".") {
        if (!is_file(here "/" path)) wrong(path " is not in " here)
        next
    }
    if (there == here) wrong(path " is in the same folder: its name alone will do")
    else if (!((here, there) in allowed)) wrong(here " may not include " path)
    if (there != "generated" && !is_file(path)) wrong("there is no " path)
    used[here, there] = 1
}

END {
    for (pair in allowed) {
        split(pair, p, SUBSEP)
        if (!(pair in used)) print ARGV[1] ":" allowed[pair] ": " p[1] " does not use " p[2]
    }
}
