# SPDX-License-Identifier: BSD-3-Clause
# The exit status and the single message of each command for an invalid trace.
mkdir no-traces && cd no-traces && cp ../small.refrain . || exit 1
head -c 200 small.refrain >damaged.refrain
echo "no trace" >other.refrain
mkdir app.refrain.parts && touch app.refrain.parts/rank.0.part
for command in report text info stat messages loops model matrix topology logical waits critical scan timeline verify otf2 chrome; do
    case $command in
    timeline | otf2) more="-o made.svg" ;;
    scan) more="--at 1" ;;
    *) more= ;;
    esac
    printf '%s:' "$command"
    for file in absent.refrain damaged.refrain other.refrain app.refrain.parts "--wrong small.refrain"; do
        behind=
        [ "$command" != verify ] || behind=small.raw
        "$REFRAIN" $command $more $file $behind >out 2>said
        printf ' %s' $? $(wc -l <said)
        [ ! -s out ] || cat out
    done
    echo
done
for command in report stat "merge -o made.refrain small.refrain"; do
    "$REFRAIN" $command app.refrain.parts 2>&1
done
echo "exit $?"
