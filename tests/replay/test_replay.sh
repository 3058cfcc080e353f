#!/bin/sh
# tests/replay/test_replay.sh REPLAY_HASHES - no sample fails, no bit depends on the number of threads, and hashes show
# a change of bits: the sums of another instruction set.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
set -eu

program=$1
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT

bad() {
    printf 'test_replay: %s\n' "$1" >&2
    exit 1
}

HEED_NUM_THREADS=1 "$program" >"$folder/one"
HEED_NUM_THREADS=3 "$program" >"$folder/three"
cmp "$folder/one" "$folder/three" || bad "a hash depends on the number of threads"
[ "$(wc -l <"$folder/one")" -gt 8000 ] || bad "there are only $(wc -l <"$folder/one") samples"
hash='[0-9a-f]\{16\}'
grep -v ": y $hash\(, dx $hash, recorded $hash\(, ddx $hash\)\?\)\?\$" "$folder/one" >&2 && bad "these samples failed"
[ "$(grep -c ', ddx' "$folder/one")" -gt 3000 ] || bad "few samples have second derivatives"

HEED_ISA=scalar "$program" >"$folder/scalar"
if grep -qsw avx2 /proc/cpuinfo; then
    cmp -s "$folder/one" "$folder/scalar" && bad "all hashes of the scalar kernels are those of this processor's"
fi
HEED_ISA=none "$program" >"$folder/none" && bad "an unknown instruction set is accepted"
[ ! -s "$folder/none" ] || bad "an unknown instruction set has hashes"
