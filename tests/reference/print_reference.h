/* tests/reference/print_reference.h - written by print_reference.py.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
/* clang-format off */
static const float print_whole[] = {0x1.0000000000000p+0, 0x1.0000000000000p+1, 0x1.8000000000000p+1, 0x1.0000000000000p+2};
static const float print_scalar[] = {0x1.4000000000000p+1};
static const double print_whole_scalar[] = {-0x1.8000000000000p+1};
static const int64_t print_scalar_i64[] = {INT64_C(7)};
static const double print_fractions[] = {0x1.8000000000000p+0, -0x1.4400000000000p+4, 0x1.2c00000000000p+8, 0x1.999999999999ap-4, 0x1.5555555555555p-2, -0x1.0624dd2f1a9fcp-10};
static const double print_rounding[] = {0x1.f9a6b50b0f27cp-4, 0x1.fff972474538fp-1, -0x1.a36e2eb1c432dp-15, 0x1.0001a36e2eb1cp+1, 0x1.0009d495182aap+0};
static const float print_ties[] = {0x1.0000000000000p-5, 0x1.8000000000000p-4, 0x1.4000000000000p-3, -0x1.0000000000000p-5};
static const float print_ratio_1000[] = {0x1.8000000000000p+0, 0x1.7700000000000p+10};
static const float print_ratio_above_1000[] = {0x1.8000000000000p+0, 0x1.7740000000000p+10};
static const float print_whole_ratio[] = {0x1.0000000000000p+0, 0x1.f400000000000p+9};
static const float print_whole_scientific[] = {0x1.0000000000000p+0, 0x1.f480000000000p+9};
static const double print_large[] = {0x1.7d78400000000p+26, 0x1.7d78420000000p+26};
static const double print_above_1e8[] = {0x1.7d78400000000p+27, 0x1.1e1a300000000p+27};
static const double print_small[] = {0x1.a36e2eb1c432dp-14, 0x1.a36e2eb1c432dp-13, -0x1.3a92a30553261p-12};
static const double print_below_1e_4[] = {0x1.9f3c70c996b76p-14, 0x1.0624dd2f1a9fcp-10};
static const double print_extreme[] = {0x1.fffffffffffffp+1023, -0x0.0000000000001p-1022, 0x0.0p+0};
static const float print_negative_zero[] = {0x0.0p+0, -0x0.0p+0, 0x1.0000000000000p+0};
static const float print_nonfinite[] = {NAN, INFINITY, -INFINITY, 0x1.0000000000000p+0};
static const float print_nonfinite_only[] = {NAN, INFINITY, -INFINITY, 0x0.0p+0};
static const float print_nonfinite_fractions[] = {NAN, 0x1.4000000000000p+0, -INFINITY, -0x1.9200000000000p+6};
static const float print_nonfinite_scientific[] = {NAN, 0x1.12e0be0000000p-30, INFINITY, 0x1.4000000000000p+2};
static const float print_zeros[] = {0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0};
static const int64_t print_integers[] = {INT64_C(1), INT64_C(-20), INT64_C(300), INT64_C(4)};
static const int64_t print_extreme_integers[] = {INT64_C(-9223372036854775807), INT64_C(9223372036854775807), INT64_C(0)};
static const bool print_booleans[] = {true, false, false, false};
static const bool print_only_false[] = {false, false};
static const float print_vector_of_two_lines[] = {0x0.0p+0, 0x1.8000000000000p+0, 0x1.8000000000000p+1, 0x1.2000000000000p+2, 0x1.8000000000000p+2, 0x1.e000000000000p+2, 0x1.2000000000000p+3, 0x1.5000000000000p+3, 0x1.8000000000000p+3, 0x1.b000000000000p+3, 0x1.e000000000000p+3, 0x1.0800000000000p+4, 0x1.2000000000000p+4, 0x1.3800000000000p+4, 0x1.5000000000000p+4, 0x1.6800000000000p+4, 0x1.8000000000000p+4, 0x1.9800000000000p+4, 0x1.b000000000000p+4, 0x1.c800000000000p+4, 0x1.e000000000000p+4, 0x1.f800000000000p+4, 0x1.0800000000000p+5};
static const int64_t print_long_vector[] = {INT64_C(0), INT64_C(1), INT64_C(2), INT64_C(3), INT64_C(4), INT64_C(5), INT64_C(6), INT64_C(7), INT64_C(8), INT64_C(9), INT64_C(10), INT64_C(11), INT64_C(12), INT64_C(13), INT64_C(14), INT64_C(15), INT64_C(16), INT64_C(17), INT64_C(18), INT64_C(19), INT64_C(20), INT64_C(21), INT64_C(22), INT64_C(23), INT64_C(24), INT64_C(25), INT64_C(26), INT64_C(27), INT64_C(28), INT64_C(29), INT64_C(30), INT64_C(31), INT64_C(32), INT64_C(33), INT64_C(34), INT64_C(35), INT64_C(36), INT64_C(37), INT64_C(38), INT64_C(39), INT64_C(40), INT64_C(41), INT64_C(42), INT64_C(43), INT64_C(44), INT64_C(45), INT64_C(46), INT64_C(47), INT64_C(48), INT64_C(49), INT64_C(50), INT64_C(51), INT64_C(52), INT64_C(53), INT64_C(54), INT64_C(55), INT64_C(56), INT64_C(57), INT64_C(58), INT64_C(59), INT64_C(60), INT64_C(61), INT64_C(62), INT64_C(63), INT64_C(64), INT64_C(65), INT64_C(66), INT64_C(67), INT64_C(68), INT64_C(69), INT64_C(70), INT64_C(71), INT64_C(72), INT64_C(73), INT64_C(74), INT64_C(75), INT64_C(76), INT64_C(77), INT64_C(78), INT64_C(79), INT64_C(80), INT64_C(81), INT64_C(82), INT64_C(83), INT64_C(84), INT64_C(85), INT64_C(86), INT64_C(87), INT64_C(88), INT64_C(89), INT64_C(90), INT64_C(91), INT64_C(92), INT64_C(93), INT64_C(94), INT64_C(95), INT64_C(96), INT64_C(97), INT64_C(98), INT64_C(99)};
static const double print_wide_matrix[] = {-0x1.1800000000000p+4, -0x1.0800000000000p+4, -0x1.f000000000000p+3, -0x1.d000000000000p+3, -0x1.b000000000000p+3, -0x1.9000000000000p+3, -0x1.7000000000000p+3, -0x1.5000000000000p+3, -0x1.3000000000000p+3, -0x1.1000000000000p+3, -0x1.e000000000000p+2, -0x1.a000000000000p+2, -0x1.6000000000000p+2, -0x1.2000000000000p+2, -0x1.c000000000000p+1, -0x1.4000000000000p+1, -0x1.8000000000000p+0, -0x1.0000000000000p-1, 0x1.0000000000000p-1, 0x1.8000000000000p+0, 0x1.4000000000000p+1, 0x1.c000000000000p+1, 0x1.2000000000000p+2, 0x1.6000000000000p+2, 0x1.a000000000000p+2, 0x1.e000000000000p+2, 0x1.1000000000000p+3, 0x1.3000000000000p+3, 0x1.5000000000000p+3, 0x1.7000000000000p+3, 0x1.9000000000000p+3, 0x1.b000000000000p+3, 0x1.d000000000000p+3, 0x1.f000000000000p+3, 0x1.0800000000000p+4, 0x1.1800000000000p+4};
static const float print_suffix_wraps[] = {0x1.0000000000000p-2, 0x1.4000000000000p+0, 0x1.2000000000000p+1, 0x1.a000000000000p+1, 0x1.1000000000000p+2, 0x1.5000000000000p+2, 0x1.9000000000000p+2, 0x1.d000000000000p+2, 0x1.0800000000000p+3, 0x1.2800000000000p+3, 0x1.4800000000000p+3, 0x1.6800000000000p+3, 0x1.8800000000000p+3};
static const double print_suffix_fits[] = {0x1.0000000000000p-2, 0x1.4000000000000p+0, 0x1.2000000000000p+1, 0x1.a000000000000p+1};
static const float print_column[] = {0x1.0000000000000p+0, 0x1.0000000000000p+1, 0x1.8000000000000p+1};
static const float print_cube[] = {0x0.0p+0, 0x1.0000000000000p+0, 0x1.0000000000000p+1, 0x1.8000000000000p+1, 0x1.0000000000000p+2, 0x1.4000000000000p+2, 0x1.8000000000000p+2, 0x1.c000000000000p+2, 0x1.0000000000000p+3, 0x1.2000000000000p+3, 0x1.4000000000000p+3, 0x1.6000000000000p+3};
static const int64_t print_rank_4[] = {INT64_C(0), INT64_C(1), INT64_C(2), INT64_C(3), INT64_C(4), INT64_C(5), INT64_C(6), INT64_C(7), INT64_C(8), INT64_C(9), INT64_C(10), INT64_C(11), INT64_C(12), INT64_C(13), INT64_C(14), INT64_C(15)};
static const float print_rank_8[] = {0x0.0p+0, 0x1.0000000000000p+0, 0x1.0000000000000p+1, 0x1.8000000000000p+1};

/* Without values, element i is i * step. */
static const struct {
    const char *name;
    heed_dtype dtype;
    heed_shape shape;
    const void *values;
    double step;
    bool requires_grad;
    const char *text;
} print_cases[] = {
    {"whole", HEED_F32, {2, {2, 2}}, print_whole, 0.0, false,
     "tensor([[1., 2.],\n"
     "        [3., 4.]], shape=(2, 2), dtype=f32)"},
    {"whole", HEED_F32, {2, {2, 2}}, print_whole, 0.0, true,
     "tensor([[1., 2.],\n"
     "        [3., 4.]], shape=(2, 2), dtype=f32, requires_grad=True)"},
    {"scalar", HEED_F32, {0, {0}}, print_scalar, 0.0, false,
     "tensor(2.5000, shape=(), dtype=f32)"},
    {"whole_scalar", HEED_F64, {0, {0}}, print_whole_scalar, 0.0, false,
     "tensor(-3., shape=(), dtype=f64)"},
    {"scalar_i64", HEED_I64, {0, {0}}, print_scalar_i64, 0.0, false,
     "tensor(7, shape=(), dtype=i64)"},
    {"fractions", HEED_F64, {2, {2, 3}}, print_fractions, 0.0, false,
     "tensor([[ 1.5000e+00, -2.0250e+01,  3.0000e+02],\n"
     "        [ 1.0000e-01,  3.3333e-01, -1.0000e-03]], shape=(2, 3), dtype=f64)"},
    {"rounding", HEED_F64, {1, {5}}, print_rounding, 0.0, false,
     "tensor([ 1.2345e-01,  9.9995e-01, -5.0000e-05,  2.0000e+00,  1.0002e+00],\n"
     "       shape=(5), dtype=f64)"},
    {"ties", HEED_F32, {1, {4}}, print_ties, 0.0, false,
     "tensor([ 0.0312,  0.0938,  0.1562, -0.0312], shape=(4), dtype=f32)"},
    {"ratio_1000", HEED_F32, {1, {2}}, print_ratio_1000, 0.0, false,
     "tensor([   1.5000, 1500.0000], shape=(2), dtype=f32)"},
    {"ratio_above_1000", HEED_F32, {1, {2}}, print_ratio_above_1000, 0.0, false,
     "tensor([1.5000e+00, 1.5010e+03], shape=(2), dtype=f32)"},
    {"whole_ratio", HEED_F32, {1, {2}}, print_whole_ratio, 0.0, false,
     "tensor([   1., 1000.], shape=(2), dtype=f32)"},
    {"whole_scientific", HEED_F32, {1, {2}}, print_whole_scientific, 0.0, false,
     "tensor([1.0000e+00, 1.0010e+03], shape=(2), dtype=f32)"},
    {"large", HEED_F64, {1, {2}}, print_large, 0.0, false,
     "tensor([1.0000e+08, 1.0000e+08], shape=(2), dtype=f64)"},
    {"above_1e8", HEED_F64, {1, {2}}, print_above_1e8, 0.0, false,
     "tensor([2.0000e+08, 1.5000e+08], shape=(2), dtype=f64)"},
    {"small", HEED_F64, {1, {3}}, print_small, 0.0, false,
     "tensor([ 0.0001,  0.0002, -0.0003], shape=(3), dtype=f64)"},
    {"below_1e_4", HEED_F64, {1, {2}}, print_below_1e_4, 0.0, false,
     "tensor([9.9000e-05, 1.0000e-03], shape=(2), dtype=f64)"},
    {"extreme", HEED_F64, {1, {3}}, print_extreme, 0.0, false,
     "tensor([ 1.7977e+308, -4.9407e-324,   0.0000e+00], shape=(3), dtype=f64)"},
    {"negative_zero", HEED_F32, {1, {3}}, print_negative_zero, 0.0, false,
     "tensor([0., -0., 1.], shape=(3), dtype=f32)"},
    {"nonfinite", HEED_F32, {1, {4}}, print_nonfinite, 0.0, false,
     "tensor([nan, inf, -inf, 1.], shape=(4), dtype=f32)"},
    {"nonfinite_only", HEED_F32, {1, {4}}, print_nonfinite_only, 0.0, false,
     "tensor([nan, inf, -inf, 0.], shape=(4), dtype=f32)"},
    {"nonfinite_fractions", HEED_F32, {2, {2, 2}}, print_nonfinite_fractions, 0.0, false,
     "tensor([[      nan,    1.2500],\n"
     "        [     -inf, -100.5000]], shape=(2, 2), dtype=f32)"},
    {"nonfinite_scientific", HEED_F32, {1, {4}}, print_nonfinite_scientific, 0.0, false,
     "tensor([       nan, 1.0000e-09,        inf, 5.0000e+00], shape=(4), dtype=f32)"},
    {"zeros", HEED_F32, {2, {2, 3}}, print_zeros, 0.0, false,
     "tensor([[0., 0., 0.],\n"
     "        [0., 0., 0.]], shape=(2, 3), dtype=f32)"},
    {"integers", HEED_I64, {2, {2, 2}}, print_integers, 0.0, false,
     "tensor([[  1, -20],\n"
     "        [300,   4]], shape=(2, 2), dtype=i64)"},
    {"extreme_integers", HEED_I64, {1, {3}}, print_extreme_integers, 0.0, false,
     "tensor([-9223372036854775807,  9223372036854775807,                    0],\n"
     "       shape=(3), dtype=i64)"},
    {"booleans", HEED_BOOL, {2, {2, 2}}, print_booleans, 0.0, false,
     "tensor([[ True, False],\n"
     "        [False, False]], shape=(2, 2), dtype=bool)"},
    {"only_false", HEED_BOOL, {1, {2}}, print_only_false, 0.0, false,
     "tensor([False, False], shape=(2), dtype=bool)"},
    {"empty", HEED_F32, {1, {0}}, NULL, 0.0, false,
     "tensor([], shape=(0), dtype=f32)"},
    {"empty_matrix", HEED_F64, {2, {0, 3}}, NULL, 0.0, false,
     "tensor([], shape=(0, 3), dtype=f64)"},
    {"empty_inside", HEED_I64, {3, {2, 0, 4}}, NULL, 0.0, false,
     "tensor([], shape=(2, 0, 4), dtype=i64)"},
    {"vector_of_two_lines", HEED_F32, {1, {23}}, print_vector_of_two_lines, 0.0, false,
     "tensor([ 0.0000,  1.5000,  3.0000,  4.5000,  6.0000,  7.5000,  9.0000, 10.5000,\n"
     "        12.0000, 13.5000, 15.0000, 16.5000, 18.0000, 19.5000, 21.0000, 22.5000,\n"
     "        24.0000, 25.5000, 27.0000, 28.5000, 30.0000, 31.5000, 33.0000],\n"
     "       shape=(23), dtype=f32)"},
    {"long_vector", HEED_I64, {1, {100}}, print_long_vector, 0.0, false,
     "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
     "        18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,\n"
     "        36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53,\n"
     "        54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71,\n"
     "        72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89,\n"
     "        90, 91, 92, 93, 94, 95, 96, 97, 98, 99], shape=(100), dtype=i64)"},
    {"wide_matrix", HEED_F64, {2, {2, 18}}, print_wide_matrix, 0.0, false,
     "tensor([[-17.5000, -16.5000, -15.5000, -14.5000, -13.5000, -12.5000, -11.5000,\n"
     "         -10.5000,  -9.5000,  -8.5000,  -7.5000,  -6.5000,  -5.5000,  -4.5000,\n"
     "          -3.5000,  -2.5000,  -1.5000,  -0.5000],\n"
     "        [  0.5000,   1.5000,   2.5000,   3.5000,   4.5000,   5.5000,   6.5000,\n"
     "           7.5000,   8.5000,   9.5000,  10.5000,  11.5000,  12.5000,  13.5000,\n"
     "          14.5000,  15.5000,  16.5000,  17.5000]], shape=(2, 18), dtype=f64)"},
    {"suffix_wraps", HEED_F32, {1, {13}}, print_suffix_wraps, 0.0, false,
     "tensor([ 0.2500,  1.2500,  2.2500,  3.2500,  4.2500,  5.2500,  6.2500,  7.2500,\n"
     "         8.2500,  9.2500, 10.2500, 11.2500, 12.2500], shape=(13), dtype=f32)"},
    {"suffix_wraps", HEED_F32, {1, {13}}, print_suffix_wraps, 0.0, true,
     "tensor([ 0.2500,  1.2500,  2.2500,  3.2500,  4.2500,  5.2500,  6.2500,  7.2500,\n"
     "         8.2500,  9.2500, 10.2500, 11.2500, 12.2500], shape=(13), dtype=f32,\n"
     "       requires_grad=True)"},
    {"suffix_fits", HEED_F64, {1, {4}}, print_suffix_fits, 0.0, false,
     "tensor([0.2500, 1.2500, 2.2500, 3.2500], shape=(4), dtype=f64)"},
    {"suffix_fits", HEED_F64, {1, {4}}, print_suffix_fits, 0.0, true,
     "tensor([0.2500, 1.2500, 2.2500, 3.2500], shape=(4), dtype=f64,\n"
     "       requires_grad=True)"},
    {"column", HEED_F32, {2, {3, 1}}, print_column, 0.0, false,
     "tensor([[1.],\n"
     "        [2.],\n"
     "        [3.]], shape=(3, 1), dtype=f32)"},
    {"cube", HEED_F32, {3, {2, 3, 2}}, print_cube, 0.0, false,
     "tensor([[[ 0.,  1.],\n"
     "         [ 2.,  3.],\n"
     "         [ 4.,  5.]],\n"
     "\n"
     "        [[ 6.,  7.],\n"
     "         [ 8.,  9.],\n"
     "         [10., 11.]]], shape=(2, 3, 2), dtype=f32)"},
    {"rank_4", HEED_I64, {4, {2, 2, 2, 2}}, print_rank_4, 0.0, false,
     "tensor([[[[ 0,  1],\n"
     "          [ 2,  3]],\n"
     "\n"
     "         [[ 4,  5],\n"
     "          [ 6,  7]]],\n"
     "\n"
     "\n"
     "        [[[ 8,  9],\n"
     "          [10, 11]],\n"
     "\n"
     "         [[12, 13],\n"
     "          [14, 15]]]], shape=(2, 2, 2, 2), dtype=i64)"},
    {"rank_8", HEED_F32, {8, {1, 2, 1, 1, 1, 1, 2, 1}}, print_rank_8, 0.0, false,
     "tensor([[[[[[[[0.],\n"
     "              [1.]]]]]],\n"
     "\n"
     "\n"
     "\n"
     "\n"
     "\n"
     "         [[[[[[2.],\n"
     "              [3.]]]]]]]], shape=(1, 2, 1, 1, 1, 1, 2, 1), dtype=f32)"},
    {"elided_vector", HEED_I64, {1, {1001}}, NULL, 1.0, false,
     "tensor([   0,    1,    2,  ...,  998,  999, 1000], shape=(1001), dtype=i64)"},
    {"elided_floats", HEED_F32, {1, {1001}}, NULL, 1.0, false,
     "tensor([   0.,    1.,    2.,  ...,  998.,  999., 1000.], shape=(1001),\n"
     "       dtype=f32)"},
    {"elided_matrix", HEED_I64, {2, {40, 50}}, NULL, 1.0, false,
     "tensor([[   0,    1,    2,  ...,   47,   48,   49],\n"
     "        [  50,   51,   52,  ...,   97,   98,   99],\n"
     "        [ 100,  101,  102,  ...,  147,  148,  149],\n"
     "        ...,\n"
     "        [1850, 1851, 1852,  ..., 1897, 1898, 1899],\n"
     "        [1900, 1901, 1902,  ..., 1947, 1948, 1949],\n"
     "        [1950, 1951, 1952,  ..., 1997, 1998, 1999]], shape=(40, 50), dtype=i64)"},
    {"elided_rows", HEED_F64, {2, {300, 4}}, NULL, 0.25, false,
     "tensor([[0.0000e+00, 2.5000e-01, 5.0000e-01, 7.5000e-01],\n"
     "        [1.0000e+00, 1.2500e+00, 1.5000e+00, 1.7500e+00],\n"
     "        [2.0000e+00, 2.2500e+00, 2.5000e+00, 2.7500e+00],\n"
     "        ...,\n"
     "        [2.9700e+02, 2.9725e+02, 2.9750e+02, 2.9775e+02],\n"
     "        [2.9800e+02, 2.9825e+02, 2.9850e+02, 2.9875e+02],\n"
     "        [2.9900e+02, 2.9925e+02, 2.9950e+02, 2.9975e+02]], shape=(300, 4),\n"
     "       dtype=f64)"},
    {"elided_columns", HEED_F32, {2, {4, 300}}, NULL, 1.0, false,
     "tensor([[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 2.9700e+02, 2.9800e+02,\n"
     "         2.9900e+02],\n"
     "        [3.0000e+02, 3.0100e+02, 3.0200e+02,  ..., 5.9700e+02, 5.9800e+02,\n"
     "         5.9900e+02],\n"
     "        [6.0000e+02, 6.0100e+02, 6.0200e+02,  ..., 8.9700e+02, 8.9800e+02,\n"
     "         8.9900e+02],\n"
     "        [9.0000e+02, 9.0100e+02, 9.0200e+02,  ..., 1.1970e+03, 1.1980e+03,\n"
     "         1.1990e+03]], shape=(4, 300), dtype=f32)"},
    {"not_elided_at_6", HEED_I64, {2, {6, 200}}, NULL, 1.0, false,
     "tensor([[   0,    1,    2,  ...,  197,  198,  199],\n"
     "        [ 200,  201,  202,  ...,  397,  398,  399],\n"
     "        [ 400,  401,  402,  ...,  597,  598,  599],\n"
     "        [ 600,  601,  602,  ...,  797,  798,  799],\n"
     "        [ 800,  801,  802,  ...,  997,  998,  999],\n"
     "        [1000, 1001, 1002,  ..., 1197, 1198, 1199]], shape=(6, 200), dtype=i64)"},
    {"elided_cube", HEED_I64, {3, {10, 10, 11}}, NULL, 1.0, false,
     "tensor([[[   0,    1,    2,  ...,    8,    9,   10],\n"
     "         [  11,   12,   13,  ...,   19,   20,   21],\n"
     "         [  22,   23,   24,  ...,   30,   31,   32],\n"
     "         ...,\n"
     "         [  77,   78,   79,  ...,   85,   86,   87],\n"
     "         [  88,   89,   90,  ...,   96,   97,   98],\n"
     "         [  99,  100,  101,  ...,  107,  108,  109]],\n"
     "\n"
     "        [[ 110,  111,  112,  ...,  118,  119,  120],\n"
     "         [ 121,  122,  123,  ...,  129,  130,  131],\n"
     "         [ 132,  133,  134,  ...,  140,  141,  142],\n"
     "         ...,\n"
     "         [ 187,  188,  189,  ...,  195,  196,  197],\n"
     "         [ 198,  199,  200,  ...,  206,  207,  208],\n"
     "         [ 209,  210,  211,  ...,  217,  218,  219]],\n"
     "\n"
     "        [[ 220,  221,  222,  ...,  228,  229,  230],\n"
     "         [ 231,  232,  233,  ...,  239,  240,  241],\n"
     "         [ 242,  243,  244,  ...,  250,  251,  252],\n"
     "         ...,\n"
     "         [ 297,  298,  299,  ...,  305,  306,  307],\n"
     "         [ 308,  309,  310,  ...,  316,  317,  318],\n"
     "         [ 319,  320,  321,  ...,  327,  328,  329]],\n"
     "\n"
     "        ...,\n"
     "\n"
     "        [[ 770,  771,  772,  ...,  778,  779,  780],\n"
     "         [ 781,  782,  783,  ...,  789,  790,  791],\n"
     "         [ 792,  793,  794,  ...,  800,  801,  802],\n"
     "         ...,\n"
     "         [ 847,  848,  849,  ...,  855,  856,  857],\n"
     "         [ 858,  859,  860,  ...,  866,  867,  868],\n"
     "         [ 869,  870,  871,  ...,  877,  878,  879]],\n"
     "\n"
     "        [[ 880,  881,  882,  ...,  888,  889,  890],\n"
     "         [ 891,  892,  893,  ...,  899,  900,  901],\n"
     "         [ 902,  903,  904,  ...,  910,  911,  912],\n"
     "         ...,\n"
     "         [ 957,  958,  959,  ...,  965,  966,  967],\n"
     "         [ 968,  969,  970,  ...,  976,  977,  978],\n"
     "         [ 979,  980,  981,  ...,  987,  988,  989]],\n"
     "\n"
     "        [[ 990,  991,  992,  ...,  998,  999, 1000],\n"
     "         [1001, 1002, 1003,  ..., 1009, 1010, 1011],\n"
     "         [1012, 1013, 1014,  ..., 1020, 1021, 1022],\n"
     "         ...,\n"
     "         [1067, 1068, 1069,  ..., 1075, 1076, 1077],\n"
     "         [1078, 1079, 1080,  ..., 1086, 1087, 1088],\n"
     "         [1089, 1090, 1091,  ..., 1097, 1098, 1099]]], shape=(10, 10, 11),\n"
     "       dtype=i64)"},
};
