# SPDX-License-Identifier: BSD-3-Clause
# The loops of each rank. The models expand to exactly the events of the calls.
"$REFRAIN" loops hundred.refrain
"$REFRAIN" loops --rank 1,3 --thread 0 hundred.refrain
"$REFRAIN" loops --rank 2 --calls hundred.refrain
"$REFRAIN" loops --rank 0-1 --json hundred.refrain | jq -c '.communicators[], (.models[] | [.ranks, .thread, .events, .body[1]])'
"$REFRAIN" loops --expand --rank 3 small.refrain
"$REFRAIN" loops --sites --sizes --times small.refrain
"$REFRAIN" loops --sizes --calls --rank 1 hundred.refrain
"$REFRAIN" loops --sizes --json --rank 0 small.refrain | jq -c '.models[].body'
"$REFRAIN" loops --expand --sites small.refrain 2>&1 | head -n 1
"$REFRAIN" loops --times --events nothing 2>&1 | head -n 1
for trace in small hundred long; do
    for events in messages calls; do
        flag=$([ $events = messages ] || echo --calls)
        "$LANE_EVENTS" $events $trace.refrain >told
        "$REFRAIN" loops --expand $flag $trace.refrain | cmp - told && echo "$trace, $events: $(wc -l <told) events"
    done
    # The models of these traces differ only in the number of iterations and in the neighbours of
    # rank 0.
    "$REFRAIN" loops --thread 0 --rank 0 $trace.refrain | wc -l
done
# jq expands the JSON; the result is the output of --expand.
"$REFRAIN" loops --json long.refrain | jq -r '
    def value($rank; $i): if type == "object"
        then . as $n | $n.constant + ($n.rank // 0) * $rank + ([range($i | length) | ($n["i\(.)"] // 0) * $i[.]] | add // 0)
        else . end;
    def expand($rank; $i): if .event
        then reduce .numbers[] as $n (.event; sub("\\{\\}"; $n | value($rank; $i) | tostring))
        else . as $loop | range(1; 1 + ($loop.times | value($rank; $i))) as $k | $loop.body[] | expand($rank; $i + [$k]) end;
    [.models[] as $m | $m.ranks[] as $rank | {$rank, $m}] | sort_by(.rank)[] | .rank as $rank | .m.body[] | expand($rank; [])' >by_jq
"$REFRAIN" loops --expand long.refrain | cmp - by_jq && echo "as jq expands it"
