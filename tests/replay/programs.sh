#!/usr/bin/env bash
# tests/replay/programs.sh BUILD DATA - runs the examples and heed-np of a build with the files of DATA; they write what
# they print and draw into the current folder. Lines with a rate, such as "9,140 bytes/s", always differ and are left
# out.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
set -euo pipefail

examples=$1/examples np=$1/tools/heed-np data=$2
for name in tiny mlp attention custom_op; do "$examples/$name" >"$name.txt"; done
for name in attention_pooling attention_scoring nw_regression; do "$examples/$name" --out "$name" >"$name.txt"; done
"$examples/nw_regression" --data "$data/mcycle.csv" --x times --y accel --log-width --out mcycle >mcycle.txt
"$examples/gaussian_process" --data "$data/airquality.csv" --x Wind,Temp --y Ozone --out gaussian_process \
    >gaussian_process.txt
"$examples/char_transformer" --text "$data/genesis.txt" --epochs 2 --steps 10 --layers 1 --length 32 --out letters |
    sed '/bytes\/s/d' >letters.txt
"$np" -S 1 -B wild -D 99 -o fit.csv -p fit.png 'accel ~ times' "$data/mcycle.csv" >np.txt
"$np" -S 1 -d 1 'waiting ~ eruptions' "$data/faithful.csv" >np_linear.txt
