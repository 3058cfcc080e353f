/* tests/nn/test_sample.c - tests heed_sample with distributions that can be computed by hand. */

#include "check_heed.h"

static heed_tensor *logs(heed_dtype dtype, heed_shape shape, const double *p)
{
    return heed_log(heed_from_values(dtype, shape, p, heed_shape_numel(shape)));
}

enum { DRAWS = 20000 };

/* Measures the share of every one of 4 tokens among the draws. */
static void shares(const double p[4], heed_sample_options o, double share[4])
{
    heed_tensor *rows = heed_expand(logs(HEED_F32, HEED_SHAPE(1, 4), p), HEED_SHAPE(DRAWS, 4));
    o.generator = heed_generator_new(7);
    heed_tensor *tokens = heed_sample(rows, &o);
    ck_assert_msg(tokens && heed_shape_equal(heed_shape_of(tokens), HEED_SHAPE(DRAWS)), "%s", heed_error_message());
    memset(share, 0, 4 * sizeof *share);
    for (int i = 0; i < DRAWS; i++)
        share[heed_data_i64(tokens)[i]] += 1.0;
    for (int i = 0; i < 4; i++)
        share[i] /= DRAWS;
    heed_generator_free(o.generator);
}

START_TEST(draws_follow_the_probabilities)
{
    static const double p[4] = {0.125, 0.5, 0.125, 0.25};
    static const struct {
        heed_sample_options o;
        double expected[4];
    } cases[] = {
        {{.temperature = 1}, {0.125, 0.5, 0.125, 0.25}},
        {{.temperature = 0.5}, {1 / 22.0, 16 / 22.0, 1 / 22.0, 4 / 22.0}}, /* probabilities squared */
        {{.temperature = 1, .top_k = 2}, {0, 2 / 3.0, 0, 1 / 3.0}},
        {{.temperature = 1, .top_k = 3}, {1 / 7.0, 4 / 7.0, 0, 2 / 7.0}}, /* the first one of two equal tokens */
        {{.temperature = 1, .top_k = 99}, {0.125, 0.5, 0.125, 0.25}},
        {{.temperature = 1, .top_p = 0.5}, {0, 1, 0, 0}},
        {{.temperature = 1, .top_p = 0.625}, {0, 2 / 3.0, 0, 1 / 3.0}},
        {{.temperature = 1, .top_p = 1}, {0.125, 0.5, 0.125, 0.25}},
        {{.temperature = 1, .top_k = 2, .top_p = 0.7}, {0, 2 / 3.0, 0, 1 / 3.0}}, /* 0.7 of the remaining 3 / 4 */
        {{.temperature = 1, .top_k = 2, .top_p = 0.66}, {0, 1, 0, 0}},
        {{.temperature = 1e-320}, {0, 1, 0, 0}},
        {{.top_k = 3}, {0, 1, 0, 0}}, /* temperature 0 */
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double share[4];
        shares(p, cases[c].o, share);
        for (int i = 0; i < 4; i++) {
            const double expected = cases[c].expected[i], sigma = sqrt(expected * (1 - expected) / DRAWS);
            ck_assert_msg(fabs(share[i] - expected) <= 4 * sigma, "case %zu: %d is drawn %g, expected %g", c, i,
                          share[i], expected);
        }
    }
}
END_TEST

START_TEST(sample_shapes)
{
    heed_tensor *logits = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), 1, 3, 2, 5, 4, -INFINITY);
    heed_tensor *tokens = heed_sample(logits, NULL);
    ck_assert(heed_get_i64(tokens, HEED_INDEX(0)) == 1 && heed_get_i64(tokens, HEED_INDEX(1)) == 0);
    tokens =
        heed_sample(heed_reshape(logits, HEED_SHAPE(2, 1, 3)), &(heed_sample_options){.temperature = 1, .top_k = 1});
    ck_assert(heed_shape_equal(heed_shape_of(tokens), HEED_SHAPE(2, 1)));
    ck_assert(heed_get_i64(tokens, HEED_INDEX(0, 0)) == 1 && heed_get_i64(tokens, HEED_INDEX(1, 0)) == 0);
    ck_assert_int_eq(heed_rank(heed_sample(heed_select(logits, 0, 0), &(heed_sample_options){.temperature = 1})), 0);
    heed_sample_options both[] = {{.temperature = 0}, {.temperature = 1, .top_p = 0.5}};
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(heed_numel(heed_sample(heed_zeros(HEED_F32, HEED_SHAPE(0, 3)), &both[i])), 0);
}
END_TEST

START_TEST(sample_errors)
{
    heed_tensor *logits = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 3, (double)NAN, 5);
    const heed_sample_options bad[] = {{.temperature = -1}, {.top_k = -1}, {.top_p = 1.5}, {.temperature = 1}};
    static const char *const texts[] = {"sample: temperature is -1", "sample: top_k is -1", "sample: top_p is 1.5",
                                        "sample: a row's largest logit is nan"};
    for (int i = 0; i < 4; i++) {
        ck_assert_ptr_null(heed_sample(logits, &bad[i]));
        ck_assert_error(HEED_ERR_ARGUMENT, texts[i]);
    }
    ck_assert_ptr_null(heed_sample(heed_full(HEED_F32, HEED_SHAPE(1, 2), -INFINITY), NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "sample: a row's largest logit is -inf");
    ck_assert_ptr_null(heed_sample(heed_zeros(HEED_F32, HEED_SHAPE(2, 0)), NULL));
    ck_assert_error(HEED_ERR_SHAPE, "sample: logits are (2, 0)");
    ck_assert_ptr_null(heed_sample(heed_zeros(HEED_I64, HEED_SHAPE(2)), NULL));
    ck_assert_error(HEED_ERR_DTYPE, "sample: logits are i64");
}
END_TEST

HEED_TEST_MAIN("sample", draws_follow_the_probabilities, sample_shapes, sample_errors)
