/* Made by tests/reference/histogram_reference.py from NumPy: do not edit.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
static const double squares_auto_counts[] = {167, 66, 34, 44, 39, 32, 26, 25, 33, 34};
static const double squares_auto_range[] = {0x0.0p+0, 0x1.dd99200000000p-1};
static const double squares_7_counts[] = {199, 68, 66, 33, 50, 45, 39};
static const double squares_7_range[] = {0x0.0p+0, 0x1.dd99200000000p-1};
static const double ends_auto_counts[] = {1, 1, 1, 3};
static const double ends_auto_range[] = {0x0.0p+0, 0x1.0000000000000p+0};
static const double ends_7_counts[] = {1, 1, 0, 1, 0, 1, 2};
static const double ends_7_range[] = {0x0.0p+0, 0x1.0000000000000p+0};
static const double outlier_auto_counts[] = {16, 16, 16, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                             0,  0,  0,  0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                             0,  0,  0,  0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                             0,  0,  0,  0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
static const double outlier_auto_range[] = {0x0.0p+0, 0x1.4000000000000p+4};
static const double outlier_7_counts[] = {60, 0, 0, 0, 0, 0, 1};
static const double outlier_7_range[] = {0x0.0p+0, 0x1.4000000000000p+4};
static const double no_quartiles_auto_counts[] = {50, 1, 1, 0, 0, 0, 1};
static const double no_quartiles_auto_range[] = {0x1.0000000000000p+0, 0x1.c000000000000p+2};
static const double no_quartiles_7_counts[] = {50, 1, 1, 0, 0, 0, 1};
static const double no_quartiles_7_range[] = {0x1.0000000000000p+0, 0x1.c000000000000p+2};
static const double one_auto_counts[] = {1};
static const double one_auto_range[] = {0x1.4000000000000p+1, 0x1.c000000000000p+1};
static const double one_7_counts[] = {0, 0, 0, 1, 0, 0, 0};
static const double one_7_range[] = {0x1.4000000000000p+1, 0x1.c000000000000p+1};
