#!/bin/sh
# companions/r/tests/package.sh - makes the package that contains the library, installs it without heed at hand, checks the
# functions that it calls, and runs its tests.
#
#     package.sh AMALGAMATION FOLDER       the folder of heed.c and heed.h, a folder to build in
#
# The library is compiled quickly: without optimisations and for one instruction set. Exit code 77 (skipped) if R is missing.
#
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
set -eu
source=$(cd -- "$(dirname -- "$0")/.." && pwd)
amalgamation=$1 folder=$2
if ! command -v Rscript >/dev/null || [ ! -e "$(R RHOME)/etc/Makeconf" ]; then
    echo "r_package: skipped: there is no R with headers to compile for (r-base-core)"
    exit 77
fi

rm -rf "$folder"
mkdir -p "$folder/library"
"$source/../../scripts/r-package" --no-vignettes "$amalgamation" "$folder"
cd "$folder"
echo 'CFLAGS = -O0 -DHEED_ONE_ISA' >quick.make
unset HEED_CFLAGS HEED_LIBS
PKG_CONFIG=false R_MAKEVARS_USER="$folder/quick.make" R CMD INSTALL --library="$folder/library" heed_*.tar.gz
built=$folder/library/heed/libs/heed.so
if nm -D --undefined-only "$built" | grep -E ' (_?exit|_Exit|abort|printf|puts|putchar|rand|std(out|err)|heed_.*|__assert_fail)(@|$)'; then
    echo "r_package: $built calls a function that CRAN forbids, or misses one of the library"
    exit 1
fi
for test in fit draws habits users; do
    R_LIBS="$folder/library" Rscript --vanilla "$source/tests/$test.R"
done
