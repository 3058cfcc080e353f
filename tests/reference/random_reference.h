/* tests/reference/random_reference.h - written by random_reference.py.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
/* clang-format off */
#define REFERENCE_SEED UINT64_C(0x123456789abcdef)
#define REFERENCE_POSITION UINT64_C(4294967294)
#define REFERENCE_COUNT 10
static const double reference_rand_f32[] = {0x1.e9665e0000000p-1, 0x1.52add40000000p-1, 0x1.63b2fa0000000p-1, 0x1.6932f80000000p-2, 0x1.cd00800000000p-6, 0x1.2eea660000000p-1, 0x1.9326480000000p-2, 0x1.9282280000000p-3, 0x1.b2825a0000000p-1, 0x1.6774fc0000000p-2};
static const double reference_rand_f64[] = {0x1.52add469e9665p-1, 0x1.6932fabac765ep-2, 0x1.2eea663c0e680p-1, 0x1.92822d63264c8p-3, 0x1.6774fda36504ap-2, 0x1.749f7766751a8p-2, 0x1.7f9c832d26848p-2, 0x1.72d324a8c115cp-2, 0x1.4ccbc8768e87ap-1, 0x1.ecd55a21454f8p-3};
static const double reference_randn_f32[] = {-0x1.51a16d4ff2335p+0, -0x1.0f91a21a6f1d0p+1, -0x1.da7e0e7f56b5cp-1, 0x1.3b04bd6316518p+0, -0x1.9a6c0fa67e460p-3, -0x1.0a6788ddc6d6ap-3, 0x1.51ac800e0c994p-2, 0x1.e3917385d80fcp-1, -0x1.2703dbe2bb174p+0, 0x1.909072c7bd8b7p+0};
static const double reference_randn_f64[] = {-0x1.c55abf65d2953p-1, 0x1.2cfc23280c316p+0, 0x1.c3c0a320e6bcfp-2, 0x1.4377b85aae11dp+0, -0x1.385cccbc1e972p-1, 0x1.6754305744c25p-1, -0x1.414fabccd0c4ap-1, 0x1.79f73adcf8a90p-1, 0x1.5ccc094b75153p-4, 0x1.724d82ec4b888p+0};
static const int64_t reference_randint[] = {1984447396689, 1058200599929, 1774896225037, 589612067148, 1053096665013, 1091668697565, 1123861454235, 1086400716525, 1949976723718, 721923934578};
static const int64_t reference_permutation[] = {3, 4, 9, 1, 2, 8, 5, 6, 0, 7};
static const bool reference_bernoulli[] = {false, true, false, true, true, true, true, true, false, true};
