# SPDX-License-Identifier: BSD-3-Clause
"""Walks an OTF2 archive and checks what readers rely on; with the output of `refrain stat --json`, also that calls and bytes
agree with it.

    check_archive.py traces.otf2 [stat.json] [compat] [partial] [causal] [MPI_Wait …]

compat: nothing may be in it that OTF2 2.x does not have. partial: messages may have one end only, as with --from and --to,
or in a program that leaves some unmatched. causal: no message arrives before it was sent. Functions whose bytes are not compared are those that refrain-stat(1) counts at
another call, or though they failed. Prints what it found; every fault is a line, and exit status 1."""
import collections
import json
import sys

import otf2
import otf2.enums
from otf2 import events as ev

path = sys.argv[1]
stat = next((a for a in sys.argv[2:] if a.endswith(".json")), None)
compat = "compat" in sys.argv[2:]
partial = "partial" in sys.argv[2:]
causal = "causal" in sys.argv[2:]
loose = ("MPI_I", "MPI_Start", "MPI_File_iw") + tuple(a for a in sys.argv[2:] if a.startswith("MPI_"))
faults = []


def fault(text):
    if len(faults) < 20:
        print("fault:", text)
    faults.append(text)


NEW_EVENTS = (ev.NonBlockingCollectiveRequest, ev.NonBlockingCollectiveComplete, ev.CommCreate, ev.CommDestroy)
NEW_OPERATIONS = ("CREATE_HANDLE", "DESTROY_HANDLE", "ALLOCATE", "DEALLOCATE")


class Location:
    def __init__(self):
        self.time = -1
        self.regions = []  # entered and not left
        self.collective = 0  # begun and not ended


locations = collections.defaultdict(Location)
requests = {}  # (location group, kind of request, number) -> what began it
begun, tested = set(), set()  # (location group, number) of any, ever
early = {}  # those that ended, but have not begun yet
sends = collections.defaultdict(collections.deque)  # (communicator, sender, receiver, tag) -> lengths
receives = collections.defaultdict(collections.deque)
collectives = collections.defaultdict(list)  # (communicator, location group) -> (operation, root)
accesses = {}  # (location group, window, number) of those that are not complete here
remote = {}  # and of those that are complete here, but not known to be at their target
partners = collections.Counter()  # (window, process, process): how often one opened an epoch with the other
locks = collections.Counter()  # (location group, window, target)
io = {}  # (location group, handle, number)
calls = collections.Counter()  # by function
sent = collections.Counter()
received = collections.Counter()
messages = collections.Counter()


def find(group, location):
    """The place of a location's process among the members of a group; None if it is not there."""
    names = [m.group.name for m in group.members]
    return names.index(location.group.name) if location.group.name in names else None


def rank_of(comm, location):
    """The rank of a location's process in a communicator; in MPI_COMM_SELF the process stands for it."""
    if comm.group.group_type == otf2.GroupType.COMM_SELF:
        return location.group.name
    if find(comm.group, location) is None:
        fault(f"{location.group.name} is not in {comm.name}")
    return find(comm.group, location)


def peer_of(comm, location, number):
    if comm.group.group_type == otf2.GroupType.COMM_SELF:
        return location.group.name
    if number >= len(comm.group.members):
        fault(f"{comm.name} has no rank {number}")
    return number


def begin_request(location, kind, number, what):
    """Threads may complete requests of each other, and synthetic time stamps do not order threads: the end may come first."""
    key = location.group.name, kind, number
    if key in requests:
        fault(f"{location.group.name}: request {number} is begun twice")
    elif early.pop(key, None) is None:
        requests[key] = what
    begun.add((location.group.name, number))


def end_request(location, kind, number):
    key = location.group.name, kind, number
    if key not in requests:
        early[key] = location
    return requests.pop(key, None)


def send(location, e):
    comm = e.communicator
    key = comm.name, rank_of(comm, location), peer_of(comm, location, e.receiver), e.msg_tag
    sends[key].append(e.msg_length)
    messages["sent"] += 1


def receive(location, e):
    comm = e.communicator
    key = comm.name, peer_of(comm, location, e.sender), rank_of(comm, location), e.msg_tag
    if causal and len(receives[key]) >= len(sends[key]):
        fault(f"{location.group.name} receives at {e.time} what was not sent by then")
    receives[key].append(e.msg_length)
    messages["received"] += 1


def visit(location, e):
    l = locations[location]
    function = l.regions[-1] if l.regions else None
    messages[type(e).__name__] += 1
    if e.time <= l.time:
        fault(f"{location.group.name} {location.name}: {type(e).__name__} at {e.time} after {l.time}")
    l.time = e.time
    if compat and isinstance(e, NEW_EVENTS):
        fault(f"{type(e).__name__} is not in OTF2 2.x")
    operation = str(getattr(e, "collective_op", ""))
    if compat and any(name in operation for name in NEW_OPERATIONS):
        fault(f"{operation} is not in OTF2 2.x")
    if isinstance(e, ev.Enter):
        l.regions.append(e.region.name)
        calls[e.region.name] += 1
    elif isinstance(e, ev.Leave):
        if not l.regions or l.regions.pop() != e.region.name:
            fault(f"{location.group.name}: {e.region.name} is left, but not entered")
        if l.collective:
            fault(f"{location.group.name}: a collective operation goes on behind {e.region.name}")
    elif isinstance(e, (ev.ProgramBegin, ev.ProgramEnd)):
        if l.regions:
            fault("the program ends in a call")
    elif function is None:
        fault(f"{location.group.name}: {type(e).__name__} outside of any call")
    elif isinstance(e, (ev.MpiSend, ev.MpiIsend)):
        send(location, e)
        sent[function] += e.msg_length
        if isinstance(e, ev.MpiIsend):
            begin_request(location, "message", e.request_id, "send")
    elif isinstance(e, ev.MpiIrecvRequest):
        begin_request(location, "message", e.request_id, "receive")
    elif isinstance(e, ev.MpiIsendComplete):
        if end_request(location, "message", e.request_id) == "receive":
            fault(f"request {e.request_id}: a receive ends as a send")
    elif isinstance(e, (ev.MpiRecv, ev.MpiIrecv)):
        receive(location, e)
        received[function] += e.msg_length
        if isinstance(e, ev.MpiIrecv) and end_request(location, "message", e.request_id) == "send":
            fault(f"request {e.request_id}: a send ends as a receive")
    elif isinstance(e, ev.MpiRequestCancelled):
        if end_request(location, "message", e.request_id) == "send":
            messages["cancelled sends"] += 1
    elif isinstance(e, (ev.MpiCollectiveBegin, ev.RmaCollectiveBegin)):
        l.collective += 1
    elif isinstance(e, (ev.MpiCollectiveEnd, ev.RmaCollectiveEnd)):
        l.collective -= 1
        if isinstance(e, ev.MpiCollectiveEnd):
            collectives[e.communicator.name, location.group.name].append((str(e.collective_op), e.root))
            sent[function] += e.size_sent
            received[function] += e.size_received
    elif isinstance(e, ev.NonBlockingCollectiveRequest):
        begin_request(location, "collective", e.request_id, "collective")
    elif isinstance(e, ev.NonBlockingCollectiveComplete):
        end_request(location, "collective", e.request_id)
    elif isinstance(e, (ev.RmaPut, ev.RmaGet, ev.RmaAtomic)):
        accesses[location.group.name, e.win.name, e.matching_id] = e
        if isinstance(e, ev.RmaAtomic):
            sent[function] += e.bytes_sent
            received[function] += e.bytes_received
        elif isinstance(e, ev.RmaPut):
            sent[function] += e.bytes
        else:
            received[function] += e.bytes
    elif isinstance(e, (ev.RmaOpCompleteNonBlocking, ev.RmaOpCompleteBlocking)):
        key = location.group.name, e.win.name, e.matching_id
        remote[key] = accesses.pop(key, None)
        if remote[key] is None:
            fault(f"access {e.matching_id} is complete, but was not issued")
    elif isinstance(e, ev.RmaOpCompleteRemote):
        if remote.pop((location.group.name, e.win.name, e.matching_id), None) is None:
            fault(f"access {e.matching_id} is complete at its target, but not here")
    elif isinstance(e, ev.RmaGroupSync):
        group_sync(location, e)
    elif isinstance(e, ev.RmaRequestLock):
        locks[location.group.name, e.win.name, e.remote] += 1
    elif isinstance(e, ev.RmaReleaseLock):
        locks[location.group.name, e.win.name, e.remote] -= 1
        if locks[location.group.name, e.win.name, e.remote] < 0:
            fault(f"{location.group.name} releases {e.win.name} of {e.remote}, which it did not lock")
    elif isinstance(e, ev.MpiRequestTest):
        tested.add((location.group.name, e.request_id))
    elif isinstance(e, ev.IoOperationTest):
        if (location.group.name, e.handle.name, e.matching_id) not in io:
            fault(f"file operation {e.matching_id} is tested, but was not begun")
    elif isinstance(e, ev.IoOperationBegin):
        io[location.group.name, e.handle.name, e.matching_id] = e, function
        if e.mode == otf2.enums.IoOperationMode.WRITE:
            sent[function] += e.bytes_request
    elif isinstance(e, ev.IoOperationComplete):
        first, by = io.pop((location.group.name, e.handle.name, e.matching_id), (None, None))
        if first is None:
            fault(f"file operation {e.matching_id} is complete, but was not begun")
        elif first.mode == otf2.enums.IoOperationMode.READ:
            received[function if by.endswith("_begin") else by] += e.bytes_result


def group_sync(location, e):
    """Both an exposure and an access have one when they begin, so that partners name each other equally often."""
    for m in e.group.members:
        if find(e.win.comm.group, m) is None:
            fault(f"{m.group.name} is not in {e.win.name}")
        if e.sync_level == otf2.enums.RmaSyncLevel.PROCESS:
            partners[e.win.name, location.group.name, m.group.name] += 1


def match_partners():
    for (window, a, b), n in sorted(partners.items()):
        if partners[window, b, a] != n:
            fault(f"{window}: {a} has {n} epochs with {b}, which has {partners[window, b, a]} with it")


def match():
    for key in sorted(set(sends) | set(receives), key=str):
        if not partial and len(sends[key]) - messages["cancelled sends"] > len(receives[key]):
            fault(f"{key}: {len(sends[key])} messages sent, {len(receives[key])} received")
        if not partial and len(receives[key]) > len(sends[key]):
            fault(f"{key}: {len(sends[key])} messages sent, {len(receives[key])} received")
        if not partial and not messages["cancelled sends"] and any(a != b for a, b in zip(sends[key], receives[key])):
            fault(f"{key}: lengths differ: {list(zip(sends[key], receives[key]))[:5]}")


def match_collectives(trace):
    for comm in trace.definitions.comms:
        if comm.group.group_type == otf2.GroupType.COMM_SELF:
            continue
        of = {m.group.name: collectives.get((comm.name, m.group.name), []) for m in comm.group.members}
        if len(set(map(tuple, of.values()))) > 1 and not partial:
            fault(f"{comm.name}: members differ in collective operations: { {m: len(v) for m, v in of.items()} }")


def compare(functions):
    """Bytes that a non-blocking operation or a completing call moves are told where they are known in both."""
    for f in functions:
        name = f["function"]
        if calls[name] != f["calls"]:
            fault(f"{name}: {calls[name]} calls, but refrain stat has {f['calls']}")
        for what, ours in (("sent_bytes", sent), ("received_bytes", received)):
            if ours[name] != f[what] and not name.startswith(loose):
                fault(f"{name}: {ours[name]} {what}, but refrain stat has {f[what]}")


with otf2.reader.open(path) as trace:
    if trace.timer_resolution != 10**9:
        fault("time is not in nanoseconds")
    for location, event in trace.events:
        visit(location, event)
    for location, l in locations.items():
        if l.regions:
            fault(f"{location.group.name}: {l.regions} not left")
    for key in early:
        fault(f"{key}: a request ends, but was not begun")
    for name, number in tested - begun:
        fault(f"{name}: request {number} is tested, but was not begun")
    match()
    match_collectives(trace)
    if not partial:
        match_partners()
if stat:
    compare(json.load(open(stat))["functions"])
print(" ".join(f"{k}={v}" for k, v in sorted(messages.items())))
print(f"open requests {len(requests)}, accesses {len(accesses)}, file operations {len(io)}")
print(f"{len(faults)} faults")
sys.exit(1 if faults else 0)
