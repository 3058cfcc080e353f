#!/bin/sh
# tests/check/test_gradcheck_tool.sh - heed-gradcheck's options and exit codes: test_gradcheck_tool.sh PROGRAM OPS.DEF
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
set -u
program=$1
ops=$2
failed=0

# expect CODE TEXT ARGUMENT...: the exit code, and a text in its output.
expect() {
    code=$1 text=$2
    shift 2
    output=$("$program" "$@" 2>&1)
    got=$?
    if [ "$got" -ne "$code" ]; then
        printf 'heed-gradcheck %s: exit code %s, expected %s\n' "$*" "$got" "$code"
        failed=1
    fi
    case $output in
    *"$text"*) ;;
    *)
        printf 'heed-gradcheck %s: "%s" is not in: %s\n' "$*" "$text" "$output"
        failed=1
        ;;
    esac
}

expect 0 'total' --op tanh
expect 0 'total' -o tanh -o relu -n 2
expect 0 '"max_error_order_2": null' --op tanh --order 1 --json
expect 0 '"max_error_order_1": null' --op tanh --order 2 --json
expect 0 '"passed": true' --op compare --json
expect 0 'tanh (2, 3), transposed' --op tanh --verbose
expect 0 'Usage' --help
expect 2 'there is no op "nosuch"' --op nosuch
expect 2 '--order must be 1 or 2, not "3"' --order 3
expect 2 '--order must be 1 or 2, not ""' --order ''
expect 2 'Usage' --nosuch
expect 2 'Usage' --op
expect 2 '"tanh" is not an option' tanh

listed=$("$program" --list)
defined=$(sed -n 's/^HEED_\(OP\|COMPOSITE\)(\([a-z0-9_]*\)).*/\2/p' "$ops")
if [ "$listed" != "$defined" ]; then
    printf '%s\n' 'heed-gradcheck --list is not the list of ops.def'
    failed=1
fi

if [ -e /dev/full ] && "$program" --op relu >/dev/full 2>/dev/null; then
    printf '%s\n' 'heed-gradcheck succeeds though nothing can be written'
    failed=1
fi
exit $failed
