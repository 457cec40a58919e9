# SPDX-License-Identifier: BSD-3-Clause
# Draws columns of a Markdown table as lines in an SVG picture, both axes logarithmic.
#
#   awk -v title='…' -v x=2 -v y=4 -v xlabel='…' -f bench/loglog.awk TABLE >PICTURE.svg
#
# A line for each name in column 1, through its rows' values in columns x and y; rows whose value is not a
# number above 0 are left out. Axes end at powers of 10, the x axis at powers of 4.
BEGIN {
    FS = " *[|] *"
    split("#1b6ca8 #c8553d #3a7d44 #8e5ea2 #b8860b #555555 #17a2a2 #d6336c", colour, " ")
    left = 100; right = 620; top = 50; bottom = 400
}

$(x + 1) > 0 && $(y + 1) ~ /^[0-9.]+$/ && $(y + 1) > 0 {
    if (!($2 in number)) {
        number[$2] = ++lines
        name[lines] = $2
    }
    l = number[$2]
    n = ++points[l]
    px[l, n] = log($(x + 1)) / log(4)
    py[l, n] = log($(y + 1)) / log(10)
    if (!seen++) {
        x0 = x1 = px[l, n]
        y0 = y1 = py[l, n]
    }
    x0 = px[l, n] < x0 ? px[l, n] : x0; x1 = px[l, n] > x1 ? px[l, n] : x1
    y0 = py[l, n] < y0 ? py[l, n] : y0; y1 = py[l, n] > y1 ? py[l, n] : y1
}

function floor(v) { return int(v) - (v < int(v)) }
function at_x(v) { return left + (v - x0) / (x1 - x0) * (right - left) }
function at_y(v) { return bottom - (v - y0) / (y1 - y0) * (bottom - top) }

function text(px, py, anchor, what, more) {
    gsub(/&/, "\\&amp;", what); gsub(/</, "\\&lt;", what)
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n", px, py, anchor, more, what
}

function rule(xa, ya, xb, yb) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n", xa, ya, xb, yb
}

END {
    if (!seen)
        exit 1
    x0 = floor(x0 + 0.01); x1 = floor(x1 + 0.99); x1 += x1 == x0
    y0 = floor(y0); y1 = floor(y1 + 0.99); y1 += y1 == y0
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"460\" font-family=\"sans-serif\" font-size=\"13\">"
    print "<rect width=\"860\" height=\"460\" fill=\"white\"/>"
    text(left, 28, "start", title, " font-size=\"16\"")
    for (v = x0; v <= x1; v++) {
        rule(at_x(v), top, at_x(v), bottom)
        text(at_x(v), bottom + 20, "middle", sprintf("%d", 4 ^ v + 0.5), "")
    }
    for (v = y0; v <= y1; v++) {
        rule(left, at_y(v), right, at_y(v))
        text(left - 8, at_y(v) + 4, "end", v < 0 ? sprintf("%.*f", -v, 10 ^ v) : sprintf("%.0f", 10 ^ v), "")
    }
    text((left + right) / 2, bottom + 46, "middle", xlabel, "")
    for (l = 1; l <= lines; l++) {
        path = ""
        for (n = 1; n <= points[l]; n++) {
            path = path sprintf("%s%.1f %.1f", n > 1 ? " L" : "M", at_x(px[l, n]), at_y(py[l, n]))
            printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", at_x(px[l, n]), at_y(py[l, n]), colour[l]
        }
        printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", path, colour[l]
        printf "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", right + 24, top + 24 * l - 24, colour[l]
        text(right + 42, top + 24 * l - 13, "start", name[l], "")
    }
    print "</svg>"
}
