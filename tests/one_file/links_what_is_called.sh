#!/bin/sh
# tests/one_file/links_what_is_called.sh PROGRAM NM - kernel regression learns, contains only the kernels that it calls,
# and shares no internal name of the library with other files.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
set -eu
"$1" | grep -q '^epoch 20, loss 0\.'
names=$("$2" "$1")
has() { echo "$names" | grep -q " [tT] $1"; }
for name in regression_kernel_ heed_kernel_regression; do
    has "$name" || { echo "$name is missing: the next check would see nothing" && exit 1; }
done
for name in conv_kernel_ attention_kernel_ recurrence_kernel_ layer_norm_kernel_ heed_conv heed_plot; do
    ! has "$name" || { echo "$name is there, and nobody calls it" && exit 1; }
done
if echo "$names" | grep ' [A-Z] heed_\(_\|op_\)'; then
    echo "internal names are external: scripts/amalgamate makes them static" && exit 1
fi
