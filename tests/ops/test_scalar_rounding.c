/* tests/ops/test_scalar_rounding.c - a number passed to an op is first rounded to the dtype of the tensor: with an
 * f32 tensor an op has the same bits for c and for (float)c. Every function of heed/ops with a number is in a table
 * here.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <stdio.h>

typedef heed_tensor *number_fn(heed_tensor *x, double c);

/* Kernels of several inputs also take y, which is x in reverse order. */
#define OF(name, expression)                                                                                           \
    static heed_tensor *of_##name(heed_tensor *x, double c)                                                            \
    {                                                                                                                  \
        heed_tensor *y = heed_flip(x, HEED_AXES(0));                                                                   \
        (void)y;                                                                                                       \
        return expression;                                                                                             \
    }

#define POSITIVE (fabs(c))

#define FUNCTIONS                                                                                                      \
    NUMBER(mul_scalar, heed_mul_scalar(x, c))                                                                          \
    NUMBER(add_scalar, heed_add_scalar(x, c))                                                                          \
    NUMBER(rsub_scalar, heed_rsub_scalar(x, c))                                                                        \
    NUMBER(pow_scalar, heed_pow_scalar(x, c))                                                                          \
    NUMBER(lerp_scalar, heed_lerp_scalar(x, y, c))                                                                     \
    NUMBER(compare_scalar, heed_to_dtype(heed_compare_scalar(x, HEED_COMPARE_GE, c), HEED_F32))                        \
    NUMBER(clamp, heed_clamp(x, -POSITIVE, POSITIVE))                                                                  \
    NUMBER(hardtanh, heed_hardtanh(x, -POSITIVE, POSITIVE))                                                            \
    NUMBER(leaky_relu, heed_leaky_relu(x, c))                                                                          \
    NUMBER(elu, heed_elu(x, c))                                                                                        \
    NUMBER(masked_fill, heed_masked_fill(x, heed_compare_scalar(x, HEED_COMPARE_LT, 0), c))                            \
    NUMBER(pad, heed_pad(x, HEED_SHAPE(1, 2), HEED_PAD_CONSTANT, c))                                                   \
    NUMBER(trapezoid, heed_trapezoid(x, NULL, c, 0))                                                                   \
    NUMBER(sequence_mask, heed_sequence_mask(heed_unsqueeze(x, 0), HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 2), c))        \
    NUMBER(isclose, heed_to_dtype(heed_isclose(x, y, POSITIVE, POSITIVE, true), HEED_F32))                             \
    NUMBER(smooth_l1_loss, heed_smooth_l1_loss(x, y, POSITIVE, HEED_REDUCTION_NONE))                                   \
    NUMBER(huber_loss, heed_huber_loss(x, y, POSITIVE, HEED_REDUCTION_NONE))                                           \
    NUMBER(hinge_embedding_loss,                                                                                       \
           heed_hinge_embedding_loss(x, heed_full(heed_dtype_of(x), heed_shape_of(x), -1), c, HEED_REDUCTION_NONE))    \
    NUMBER(triplet_margin_loss,                                                                                        \
           heed_triplet_margin_loss(heed_unsqueeze(x, 0), heed_unsqueeze(y, 0), heed_unsqueeze(heed_neg(x), 0), c,     \
                                    false, HEED_REDUCTION_NONE))                                                       \
    NUMBER(cosine_embedding_loss,                                                                                      \
           heed_cosine_embedding_loss(heed_unsqueeze(x, 0), heed_unsqueeze(y, 0),                                      \
                                      heed_full(HEED_F32, HEED_SHAPE(1), -1), c, HEED_REDUCTION_NONE))

#define NUMBER(name, expression) OF(name, expression)
FUNCTIONS
#undef NUMBER

typedef struct numbered {
    const char *name;
    number_fn *run;
} numbered;

static const numbered functions[] = {
#define NUMBER(name, expression) {"heed_" #name, of_##name},
    FUNCTIONS
#undef NUMBER
};

/* Functions whose numbers are not combined with elements: probabilities, orders of norms, and an eps, which is never
 * rounded to 0. */
static const char *const others[] = {"heed_dropout",    "heed_norm",          "heed_layer_norm",
                                     "heed_rms_norm",   "heed_instance_norm", "heed_allclose",
                                     "heed_group_norm", "heed_batch_norm",    "heed_cdist"};

static const double numbers[] = {0.1,   1.0 / 3,  2.5,     -0.7,         1e40,  -1e300, 1e-50,
                                 1e-42, 16777217, 0x1p128, 3.4028235e38, 1e-46, 0,      1};

static heed_tensor *special(void)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(12), 0, -0.0, 1, -1, 1e-30, -3e38, 3e38, 0.3, -2.7, 1e-42, 5, -7);
    return heed_set_requires_grad(heed_clone(x), true);
}

/* Checks that elements have the same bits or are both NaN. */
static void check_same(const char *name, double c, heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s: %s", name, heed_error_message());
    const float *pa = heed_data_f32(heed_contiguous(a)), *pb = heed_data_f32(heed_contiguous(b));
    for (int64_t i = 0; i < heed_numel(a); i++)
        ck_assert_msg(memcmp(&pa[i], &pb[i], sizeof *pa) == 0 || (isnan(pa[i]) && isnan(pb[i])),
                      "%s of element %d is %.9g for %.17g and %.9g for %.17g", name, (int)i, pa[i], c, pb[i],
                      (double)(float)c);
}

static heed_tensor *gradient(heed_tensor *y, heed_tensor *x)
{
    heed_tensor *dx = NULL, *g = heed_ones(HEED_F32, heed_shape_of(y));
    if (!heed_requires_grad(y))
        return heed_zeros(HEED_F32, HEED_SCALAR);
    heed_grad_options options = {.grad_outputs = &g, .create_graph = true};
    return heed_grad(&y, 1, &x, 1, &dx, &options) == HEED_OK ? dx : NULL;
}

START_TEST(numbers_are_rounded_first)
{
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++)
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            const double c = numbers[i], rounded = (double)(float)c;
            heed_tensor *x = special(), *a = functions[f].run(x, c), *b = functions[f].run(x, rounded);
            if (!a && !b) { /* out of the function's range, rounded or not */
                heed_error_clear();
                continue;
            }
            if (!a || !b) { /* only one of the two numbers is in the function's range */
                ck_assert_msg(isinf(rounded) || rounded == 0, "%s(%g): %s", functions[f].name, c, heed_error_message());
                heed_error_clear();
                continue;
            }
            check_same(functions[f].name, c, a, b);
            check_same(functions[f].name, c, gradient(a, x), gradient(b, x));
        }
}
END_TEST

START_TEST(products_with_numbers_that_f32_lacks)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0, 1e-30, 1e30);
    ck_assert(isnan(heed_get(heed_mul_scalar(x, 1e300), HEED_INDEX(0))));
    ck_assert(isinf(heed_get(heed_mul_scalar(x, 1e40), HEED_INDEX(1))));
    ck_assert(heed_get(heed_mul_scalar(x, 1e-50), HEED_INDEX(2)) == 0);
}
END_TEST

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i], name) == 0)
            return true;
    return false;
}

/* The prototypes of a header that have a double among their parameters. */
static int check_header(const char *name)
{
    static char text[1 << 16];
    char path[512];
    (void)snprintf(path, sizeof path, "%s/include/heed/ops/%s.h", HEED_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    int found = 0;
    for (char *at = strstr(text, "HEED_API "); at; at = strstr(at, "HEED_API ")) {
        char *end = strstr(at, ");"), *open = strchr(at, '(');
        *end = '\0';
        char *name_at = open;
        while (name_at[-1] != '*' && name_at[-1] != ' ')
            name_at--;
        if (strstr(open, "double ")) {
            *open = '\0';
            ck_assert_msg(is_known(name_at), "%s takes a number, and is in no table of this test", name_at);
            found++;
        }
        at = end + 1;
    }
    return found;
}

START_TEST(every_function_with_a_number_is_here)
{
    static const char *const headers[] = {"attention", "conv", "elementwise", "index",  "logic", "loss",
                                          "norm",      "pool", "product",     "reduce", "shape", "softmax"};
    int found = 0;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        found += check_header(headers[i]);
    ck_assert_int_ge(found, (int)(sizeof functions / sizeof functions[0]));
}
END_TEST

HEED_TEST_MAIN("scalar_rounding", numbers_are_rounded_first, products_with_numbers_that_f32_lacks,
               every_function_with_a_number_is_here)
