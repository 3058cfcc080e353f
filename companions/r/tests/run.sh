#!/bin/sh
# companions/r/tests/run.sh - builds the package in a folder, installs it there, and runs its tests and the programs of
# its README and its vignette.
#
#     run.sh INCLUDE LIBRARY FOLDER       heed's headers, libheed.so, a folder to build in
#
# Exit code 77 (skipped) if R or its compiler is missing.
#
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
set -eu
source=$(cd -- "$(dirname -- "$0")/.." && pwd)
include=$1 library=$2 folder=$3

missing() {
    echo "r_binding: skipped: there is no $1"
    exit 77
}
command -v Rscript >/dev/null || missing "R (r-base-core)"
[ -e "$(R RHOME)/etc/Makeconf" ] && [ -e "$(R CMD config --cppflags | sed -n 's/^-I"\{0,1\}\([^" ]*\).*/\1/p')/R.h" ] ||
    missing "R with headers to compile for (r-base-core)"
for tool in "$(R CMD config CC | cut -d ' ' -f 1)" make; do
    command -v "$tool" >/dev/null || missing "$tool, with which R compiles"
done

rm -rf "$folder"
mkdir -p "$folder/library"
cp -R "$source" "$folder/package"
export HEED_CFLAGS="-I$include"
export HEED_LIBS="-L$(dirname -- "$library") -lheed -Wl,-rpath,$(dirname -- "$library")"
R CMD INSTALL --preclean --no-docs --no-test-load --library="$folder/library" "$folder/package"
cd "$folder"
for test in "$source"/tests/*.R; do
    echo "$test"
    R_LIBS="$folder/library" Rscript --vanilla "$test"
done
for page in README.md vignettes/heed.Rmd; do
    echo "$source/$page"
    sed -n '/^```\(r\|{r}\)$/,/^```$/{/^```/!p;}' "$source/$page" >page.R
    grep -q heed_np page.R
    R_LIBS="$folder/library" Rscript --vanilla page.R
done
