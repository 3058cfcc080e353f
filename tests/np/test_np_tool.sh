#!/bin/sh
# tests/np/test_np_tool.sh - heed-np's options, formulas and exit codes: test_np_tool.sh PROGRAM DATA
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
set -u
program=$1
data=$2
failed=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# expect CODE TEXT ARGUMENT...: the exit code, and a text in its output.
expect() {
    code=$1 text=$2
    shift 2
    output=$("$program" "$@" 2>&1)
    got=$?
    if [ "$got" -ne "$code" ]; then
        printf 'heed-np %s: exit code %s, expected %s\n' "$*" "$got" "$code"
        failed=1
    fi
    case $output in
    *"$text"*) ;;
    *)
        printf 'heed-np %s: "%s" is not in: %s\n' "$*" "$text" "$output"
        failed=1
        ;;
    esac
}

mcycle=$data/mcycle.csv
penguins=$data/penguins.csv
expect 0 '1.44692' -d 1 --criterion plug-in 'accel ~ times' "$mcycle"
expect 0 '"criterion": "CV.LS"' --criterion rule --json 'accel ~ times' "$mcycle"
expect 0 '-mean log-likelihood' --criterion rule '~ eruptions' "$data/faithful.csv"
expect 1 '--criterion plug-in needs --degree 1' --criterion plug-in 'accel ~ times' "$mcycle"
expect 0 '595.936344' 'accel ~ times' "$mcycle"
expect 0 '561.339454' 'accel~times' "$mcycle" --degree 1
expect 0 '7.52515' -c aicc 'accel ~ times' "$mcycle"
expect 0 '"value": 595.93634412' 'accel ~ times' "$mcycle" --json
expect 0 '2 left out for missing values' --bandwidth 10,0.1 '`Body Mass (g)` ~ `Flipper Length (mm)` + factor(Species)' "$penguins"
expect 0 'tr H' --nearest 0.4 --kernel tricube --degree 2 --robust 2 'accel ~ times' "$mcycle"
expect 0 'times' --kernel epanechnikov --bandwidth 2 'accel ~ log(times)' "$mcycle"
expect 0 'start 1 of 1' --starts 1 --verbose 'accel ~ times' "$mcycle"
expect 0 'R2' --weights times --bandwidth 3 --classic 'accel ~ times' "$mcycle"
expect 0 '-mean log-likelihood             0.995562' '~ eruptions' "$data/faithful.csv"
expect 0 '"criterion": "-mean log-likelihood"' --json '~ eruptions + waiting' "$data/faithful.csv"
expect 0 '1.5        0.0100' --bandwidth 1.5 --test --draws 99 --seed 3 'accel ~ times' "$mcycle"
expect 0 '"p": {' --bandwidth 1.5 --test --draws 9 --json 'accel ~ times' "$mcycle"
expect 0 'Usage' --help
expect 0 'heed-np' --version
expect 2 'heed-np --help' --nosuch
expect 2 'must be a formula and a file' 'accel ~ times'
expect 2 'at character 16: expected a column' 'accel ~ times +' "$mcycle"
expect 2 'expected ~' 'accel' "$mcycle"
expect 2 'expected log, log1p, sqrt, exp, abs, I, factor, ordered or date' 'accel ~ sin(times)' "$mcycle"
expect 2 'expected numbers or factor() before ~' 'ordered(accel) ~ times' "$mcycle"
expect 2 '--kernel: "cosine"' --kernel cosine 'accel ~ times' "$mcycle"
expect 2 '--bandwidth: "1,2"' --bandwidth 1,2 'accel ~ times' "$mcycle"
expect 2 '--bootstrap: "tame"' --bootstrap tame 'accel ~ times' "$mcycle"
expect 2 '--bootstrap cannot be combined with' --bootstrap wild --interval prediction 'accel ~ times' "$mcycle"
expect 1 'degree is 7' --degree 7 'accel ~ times' "$mcycle"
expect 1 'no column named "tims"' 'accel ~ tims' "$mcycle"
expect 1 'corrected needs degree 4 in 1 continuous columns: must be at most 3' -d 3 -u -b 2 -o "$folder/rows.csv" 'accel ~ times' "$mcycle"
expect 1 'a density, ' --degree 1 '~ times' "$mcycle"
expect 1 'the fit is a density' --test --bandwidth 1 '~ times' "$mcycle"
expect 1 'the fit is a density' --bootstrap wild --bandwidth 1 -o "$folder/rows.csv" '~ times' "$mcycle"
expect 1 'nosuch.csv' 'accel ~ times' nosuch.csv
expect 1 'level is 2' --bandwidth 1 --level 2 --output "$folder/rows.csv" 'accel ~ times' "$mcycle"

expect 0 'R2' --interval simultaneous --local --corrected --level 0.9 --output "$folder/rows.csv" --plot "$folder/fit.svg" \
    --bandwidth 1.5 --degree 1 'accel ~ times' "$mcycle"
if [ "$(head -n 1 "$folder/rows.csv")" != 'times,accel,fit,se,lower,upper,residual,leverage' ] ||
    [ "$(wc -l <"$folder/rows.csv")" -ne 134 ]; then
    printf '%s\n' 'heed-np --output: other columns or rows than expected'
    failed=1
fi
expect 0 'density' --bandwidth 1.5 --bootstrap pairs --draws 50 --output "$folder/density.csv" --plot "$folder/density.svg" \
    '~ times' "$mcycle"
if [ "$(head -n 1 "$folder/density.csv")" != 'times,density,se,lower,upper' ] || [ ! -s "$folder/density.svg" ]; then
    printf '%s\n' 'heed-np of a density: other columns than expected, or no picture'
    failed=1
fi
expect 0 'R2' --bandwidth 1.5 --bootstrap wild --draws 50 --level 0.8 --output "$folder/drawn.csv" 'accel ~ times' "$mcycle"
expect 0 'R2' --bandwidth 1.5 --level 0.8 --output "$folder/plain.csv" 'accel ~ times' "$mcycle"
if [ "$(cut -d , -f 3 "$folder/drawn.csv")" != "$(cut -d , -f 3 "$folder/plain.csv")" ] ||
    [ "$(cut -d , -f 4 "$folder/drawn.csv")" = "$(cut -d , -f 4 "$folder/plain.csv")" ]; then
    printf '%s\n' 'heed-np --bootstrap: another fit, or the same standard errors'
    failed=1
fi
if ! grep -q '<svg' "$folder/fit.svg"; then
    printf '%s\n' 'heed-np --plot wrote no picture'
    failed=1
fi
# Names that a terminal would obey: U+009B begins an escape sequence, U+202E turns the text around.
printf 'y\302\233[31m,x\342\200\256\177,word\n1,1,a\n2,2,\033[2J\n4,3,b\n3,4,c\n' >"$folder/hostile.csv"
y=$(printf '`y\302\233[31m`') x=$(printf '`x\342\200\256\177`')
for arguments in "" -j -t; do
    # shellcheck disable=SC2086
    "$program" --bandwidth 1 $arguments "$y ~ $x" "$folder/hostile.csv" >>"$folder/shown" 2>&1 || failed=1
done
for formula in "$y ~ z" "$y ~ word" "$y ~ ~ $x" "$y ~ $x +"; do
    "$program" --bandwidth 1 "$formula" "$folder/hostile.csv" >>"$folder/shown" 2>&1 && failed=1
done
for option in "-k$x" "--$x" "-$x" "-o$folder/$x/rows.csv"; do
    "$program" --bandwidth 1 "$option" "$y ~ $x" "$folder/hostile.csv" >>"$folder/shown" 2>&1 && failed=1
done
expect 2 '"--nosuch" is not an option, or lacks its value' --nosuch '~ x' "$folder/hostile.csv"
if od -An -v -tx1 "$folder/shown" | tr -d ' \n' | grep -Eq 'c29b|e280ae|1b5b|7f60|7f22' ||
    ! grep -qF 'y\u009b[31m' "$folder/shown" || ! grep -qF '"x\u202e\u007f"' "$folder/shown"; then
    printf '%s\n' 'heed-np shows control characters as they are'
    failed=1
fi

# expect_text FILE TEXT
expect_text() {
    if ! grep -qF -- "$2" "$1"; then
        printf 'heed-np: "%s" is not in %s: %s\n' "$2" "$1" "$(head -n 3 "$1")"
        failed=1
    fi
}

# Outputs have the names of terms, the texts of labels, and a name once.
{
    echo 'x,g,fit,y,m,w,t'
    for i in 1 2 3 4 5 6 7 8 9; do
        echo "$i,$([ $((i % 2)) = 0 ] && echo north || echo '"south, far"'),$((i * i % 7)),$((i * i % 5)).5,$((i % 3)),1,$i.5"
    done
} >"$folder/terms.csv"
terms=$folder/terms.csv
expect 0 'log(x)' -b 1,0.5 -o "$folder/o.csv" -j 'y ~ log(x) + factor(g)' "$terms"
expect_text "$folder/o.csv" 'log(x),factor(g),y,fit,se,lower,upper,residual,leverage'
expect_text "$folder/o.csv" ',"south, far",'
expect_text "$folder/o.csv" '0.6931471805599453,north,'
expect 0 '"factor(g)": 0.5' -b 1,0.5 -j 'y ~ log(x) + factor(g)' "$terms"
expect 0 'factor(g)' -b 1,0.5 'y ~ log(x) + factor(g)' "$terms"
expect 0 '"log(x)": 2.0' -b 1,2 -j 'y ~ x + log(x)' "$terms"
expect 0 '"x": 1.0' -b 1,2 -j 'y ~ x + log(x)' "$terms"
expect 0 '' -b 1 -o "$folder/o.csv" 'y ~ fit' "$terms"
expect_text "$folder/o.csv" 'fit,y,fit.1,se,'
expect 0 'rows' -b 1 'y ~ fit.1' "$folder/o.csv"
expect 0 '' -b 1 -o "$folder/o.csv" 'fit ~ log(`x`)' "$terms"
expect_text "$folder/o.csv" 'log(x),fit,fit.1,se,'
expect 0 '' -b 1,0 -o "$folder/o.csv" '~ log(x) + ordered(m)' "$terms"
expect_text "$folder/o.csv" 'log(x),ordered(m),density,se,lower,upper'
expect 0 '' -b 1 -p "$folder/o.svg" 'log(t) ~ log(x)' "$terms"
expect_text "$folder/o.svg" '>log(t)<'
expect_text "$folder/o.svg" '>log(x)<'
expect 2 'expected each column once' 'y ~ x + x' "$terms"
expect 2 'expected columns other than the one before ~' 'y ~ y' "$terms"

printf 'x,y,u\n1,2,\n2,,3\n' >"$folder/empty.csv"
# Messages have the name of the term, the line of the file, and what to do.
printf 'x,g,y,w\n1,a,1,1\n,b,2,1\n3,c,3,1\n0,d,4,-1\n2.5,e,5,1\n' >"$folder/odd.csv"
odd=$folder/odd.csv
expect 1 "log(x) is -inf on line 5 of $odd: log needs numbers above 0" -b 1 'y ~ log(x)' "$odd"
expect 1 "log(x) is -inf on line 5 of $odd" -b 1 'log(x) ~ y' "$odd"
expect 1 'ordered(x) needs the order of its texts: ordered(x, "0", "1", "2.5", "3")' 'y ~ ordered(x)' "$odd"
expect 1 "w is -1 on line 5 of $odd: must not be negative" -w w 'y ~ x' "$odd"
expect 1 'g has a different text in every row, such as "a" on line 2; leave it out' 'y ~ x + g' "$odd"
expect 1 'line 2, column "g": "a" is not a number' 'y ~ log(g)' "$odd"
expect 1 'has no column named "z"; its columns are "x", "g", "y", "w"' 'y ~ z' "$odd"
expect 1 'w is 1 in every row' 'y ~ x + w' "$terms"
expect 1 'no row has values in all columns' -w u 'y ~ x' "$folder/empty.csv"
expect 2 'must be one of gaussian, boxcar, triangular, epanechnikov, biweight, triweight, tricube' -k cosine 'y ~ x' "$terms"
expect 2 'must be one of cv, aicc, gcv, rule, plug-in' -c cross 'y ~ x' "$terms"
expect 2 '"x": must be a number' -l x 'y ~ x' "$terms"
expect 2 '"-1": must be a whole number from 0 to 1000000' -s -1 'y ~ x' "$terms"
expect 2 '"1": must be 2 numbers with commas, for x, factor(g)' -b 1 'y ~ x + factor(g)' "$terms"
expect 2 '0 for x: must be above 0' -b 0 'y ~ x' "$terms"
expect 2 '2 for factor(g): must be from 0 to 1' -b 1,2 'y ~ x + factor(g)' "$terms"
expect 1 '--nearest needs a single column of numbers' -n 0.5 'y ~ factor(g)' "$terms"

# A point without any row within its window has an empty field, and is counted; an undefined number is null.
printf 'x,y,w\n0,1,1\n1,3,1\n2,2,1\n5,4,0\n8,1,1\n9,3,1\n10,2,1\n' >"$folder/hole.csv"
hole=$folder/hole.csv
expect 0 '--output: 1 of 7 points have no row within the window' -k epanechnikov -b 1.5 -w w -o "$folder/o.csv" 'y ~ x' "$hole"
expect_text "$folder/o.csv" '5,4,,,,,,'
expect 0 'of 400 points have no row within the window' -k epanechnikov -b 1.5 -w w -p "$folder/o.png" 'y ~ x' "$hole"
expect 0 '"value": null' -k epanechnikov -b 0.5 -j 'y ~ x' "$hole"

# An output never replaces the table, whatever name leads to it, nor the other output.
cp "$mcycle" "$folder/table.csv"
ln -s table.csv "$folder/link.csv"
ln "$folder/table.csv" "$folder/hard.csv"
for name in table.csv ./table.csv link.csv hard.csv; do
    expect 2 'is the input table' --bandwidth 1 -o "$folder/$name" 'accel ~ times' "$folder/table.csv"
    expect 2 'is the input table' --bandwidth 1 -p "$folder/$name" 'accel ~ times' "$folder/table.csv"
    expect 2 'is the input table' --bandwidth 1 -o "$folder/table.csv" 'accel ~ times' "$folder/$name"
done
expect 2 'use different files' --bandwidth 1 -o "$folder/both" -p "$folder/both" 'accel ~ times' "$mcycle"
if [ -e /dev/stdout ] && "$program" --bandwidth 1 --json 'accel ~ times' "$folder/table.csv" >>"$folder/table.csv" 2>/dev/null; then
    printf '%s\n' 'heed-np appends to the table that it reads'
    failed=1
fi
if ! cmp -s "$mcycle" "$folder/table.csv"; then
    printf '%s\n' 'heed-np has changed its table'
    failed=1
fi
if [ -e /dev/full ] && "$program" --bandwidth 1 'accel ~ times' "$mcycle" >/dev/full 2>/dev/null; then
    printf '%s\n' 'heed-np succeeds though nothing can be written'
    failed=1
fi
exit $failed
