# Everything that can be asked for wrongly: one line on stderr and exit status 2.
wrong() {
    echo "refrain $*"
    "$REFRAIN" "$@" 2>&1
    echo "exit $?"
}
wrong
wrong nothing
wrong text
wrong text a b
wrong text --unknown small.refrain
wrong text -x small.refrain
wrong text --json=1 small.refrain
wrong text small.refrain --rank
wrong text --rank 4 small.refrain
wrong text --rank 1- small.refrain
wrong text --rank 3-1 small.refrain
wrong text --rank '' small.refrain
wrong text --call x small.refrain
wrong text --call .. small.refrain
wrong text --call 5..4 small.refrain
wrong text --call 99999999999999999999 small.refrain
wrong stat --by nothing small.refrain
wrong stat --rank 9 small.refrain
wrong messages
wrong messages --rank 4 small.refrain
wrong messages absent.refrain
wrong loops
wrong loops small.refrain --events small.raw
wrong loops --rank 9 small.refrain
wrong loops --rank 0 --events absent
wrong loops --calls --events absent
wrong loops --window 0 small.refrain
wrong loops --window 5x small.refrain
wrong loops --events absent
wrong loops --events .
wrong loops absent.refrain
wrong info absent.refrain
wrong info .
wrong verify small.refrain
wrong verify small.refrain absent
wrong verify small.refrain /
wrong model
wrong model --events absent.events
wrong model --events small.refrain
wrong model --events /dev/null small.refrain
wrong model --expand 4 small.refrain
wrong model --expand x small.refrain
wrong model --window 0 small.refrain
wrong merge absent.parts
wrong record
wrong record --timing sometimes true
