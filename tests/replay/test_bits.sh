#!/bin/sh
# tests/replay/test_bits.sh SCRIPTS_BITS BUILD - ops and models have the bits of bits.txt on every instruction set of this
# machine that has a fused multiply-add, and scripts/bits names a hash that differs.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
set -eu

code=0
"$1" --build "$2" ops models || code=$?
[ "$code" -eq 0 ] || exit "$code" # 77: the machine has only the scalar kernels

planted=$(mktemp)
trap 'rm -f -- "$planted"' EXIT
sed 's/^op add: ..../op add: none/' "${0%/*}/bits.txt" >"$planted"
"$1" --build "$2" --bits "$planted" ops >"$planted.out" && code=1
grep -q ': op add: .*, bits.txt has none' "$planted.out" || code=1
rm -f -- "$planted.out"
[ "$code" -eq 0 ] || echo "test_bits: scripts/bits does not find a planted difference" >&2
exit "$code"
