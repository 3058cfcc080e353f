#!/bin/bash -eu
# tests/fuzz/oss-fuzz/build.sh - builds all fuzz targets for OSS-Fuzz, with their corpora. OSS-Fuzz sets SRC (which
# contains heed), WORK, OUT, CC, CFLAGS and LIB_FUZZING_ENGINE; `scripts/torture oss_fuzz` sets them, too.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

cmake -S "$SRC/heed" -B "$WORK/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DHEED_FUZZ=ON "-DHEED_FUZZ_ENGINE=$LIB_FUZZING_ENGINE" \
    -DHEED_IMAGES=ON -DHEED_MPI=OFF -DHEED_ONNX=OFF -DHEED_TENSORBOARD=OFF -DHEED_ISA_KERNELS=OFF -DHEED_SHARED=OFF \
    -DHEED_BUILD_TESTS=OFF -DHEED_BUILD_TOOLS=OFF -DHEED_BUILD_EXAMPLES=OFF -DHEED_BUILD_BENCH=OFF
cmake --build "$WORK/build"
for corpus in "$SRC"/heed/tests/fuzz/corpus/*; do
    target=fuzz_${corpus##*/}
    cp "$WORK/build/tests/fuzz/$target" "$OUT"
    rm -f "$OUT/${target}_seed_corpus.zip"
    zip -q -j "$OUT/${target}_seed_corpus.zip" "$corpus"/*
    printf '[libfuzzer]\nmax_len = 512\ntimeout = 10\n' >"$OUT/$target.options"
done
