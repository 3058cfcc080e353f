/* tests/reference/dropout_reference.h - written by dropout_reference.py.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
/* clang-format off */
#define REFERENCE_SEED UINT64_C(0x123456789abcdef)
#define REFERENCE_POSITION UINT64_C(4294967294)
#define REFERENCE_COUNT 40
#define REFERENCE_P 0.3
static const bool reference_dropped[] = {false, true, false, true, false, false, false, false, true, false, false, true, true, true, true, false, false, false, true, true, false, false, true, false, false, true, true, false, false, true, false, false, false, false, false, false, false, true, false, true};
