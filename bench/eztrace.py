# SPDX-License-Identifier: BSD-3-Clause
"""Do two OTF2 archives of one program tell the same? usage: eztrace.py EZTRACE/log.otf2 REFRAIN/traces.otf2

For each rank: the sequence of MPI calls, of the functions that the first archive has at all (by their Fortran names, too), and the messages sent (receiver,
tag, bytes). Read off otf2-print, since EZTrace's definitions are too unordered for OTF2's Python reader. Prints a line:
ranks, calls and messages compared, or where they differ."""
import re
import subprocess
import sys

ENTER = re.compile(r'^ENTER\s+(\d+)\s+\d+\s+Region: "(mpi_\w*[a-z])_?"', re.IGNORECASE)
SENT = re.compile(r'^MPI_I?SEND\s+(\d+)\s+\d+\s+Receiver: (\d+) \((INVALID)?.*Tag: (\d+), Length: (\d+)')
LOCATION = re.compile(r'^LOCATION\s+(\d+)\s+Name: "([^"]*)".*')
GROUP = re.compile(r'^LOCATION_GROUP\s+(\d+)\s+Name: "[^"]*?(\d+)"')


def lines(path, *options):
    run = subprocess.run(["otf2-print", *options, path], capture_output=True, text=True, check=False)
    return run.stdout.splitlines()


def rank_of_location(path):
    """EZTrace names locations P#2T#0, Refrain has the rank as the low half of the number."""
    ranks = {}
    for line in lines(path, "-G"):
        m = LOCATION.match(line)
        if m:
            named = re.match(r"P#(\d+)T#0$", m[2])
            ranks[m[1]] = int(named[1]) if named else int(m[1]) & 0xFFFFFFFF
    return ranks


def read(path):
    ranks, calls, sent = rank_of_location(path), {}, {}
    for line in lines(path):
        m = ENTER.match(line)
        if m:
            calls.setdefault(ranks[m[1]], []).append(m[2].lower())
        m = SENT.match(line)
        if m and not m[3]:
            sent.setdefault(ranks[m[1]], []).append((int(m[2]), int(m[4]), int(m[5])))
    return calls, sent


theirs, ours = read(sys.argv[1]), read(sys.argv[2])
known = {name for calls in theirs[0].values() for name in calls}
n_calls = n_messages = 0
for rank in sorted(ours[0]):
    a = theirs[0].get(rank, [])
    b = [name for name in ours[0][rank] if name in known]
    c, d = theirs[1].get(rank, []), ours[1].get(rank, [])
    for what, x, y in (("call", a, b), ("message", c, d)):
        if x != y:
            at = next((i for i, (p, q) in enumerate(zip(x, y)) if p != q), min(len(x), len(y)))
            print(f"rank {rank}: {what} {at} differs: {x[at:at + 1]} and {y[at:at + 1]} ({len(x)} and {len(y)} in all)")
            sys.exit(1)
    n_calls += len(a)
    n_messages += len(c)
print(len(ours[0]), n_calls, n_messages, "the same")
