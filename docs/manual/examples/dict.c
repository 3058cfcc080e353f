/* dict.c - examples of heed/dict.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_set(void)
{
    /* [heed_dict_new heed_dict_set heed_dict_get heed_dict_free] */
    heed_dict *dict = heed_dict_new();
    heed_dict_set(dict, "x", heed_arange(HEED_F32, 0, 3, 1));
    heed_dict_set(dict, "y", heed_ones(HEED_F32, HEED_SHAPE(2)));
    heed_dict_set(dict, "x", heed_arange(HEED_F32, 0, 4, 1)); /* replaces the first x */
    heed_print(heed_dict_get(dict, "x"), stdout);             /* -> tensor([0., 1., 2., 3.], shape=(4), dtype=f32) */
    heed_dict_free(dict);
    /* [] */
}

static void example_has(void)
{
    /* [heed_dict_has] */
    heed_dict *dict = heed_dict_new();
    heed_dict_set(dict, "weight", heed_eye(HEED_F32, 2, 2));
    bool bias = heed_dict_has(dict, "bias");                             /* without an error, unlike heed_dict_get */
    printf("weight %d, bias %d\n", heed_dict_has(dict, "weight"), bias); /* -> weight 1, bias 0 */
    heed_dict_free(dict);
    /* [] */
}

static void example_walk(void)
{
    /* [heed_dict_size heed_dict_name heed_dict_at] */
    heed_nn_linear *net = heed_nn_linear_new(3, 2, NULL);
    heed_dict *state = heed_module_state(&net->base);
    for (int64_t i = 0; i < heed_dict_size(state); i++)
        printf("%s %s ", heed_dict_name(state, i), heed_shape_text(heed_shape_of(heed_dict_at(state, i))).s);
    /* -> weight (2, 3) bias (2) */
    heed_dict_free(state);
    heed_module_free(&net->base);
    /* [] */
}

static void example_texts(void)
{
    /* [heed_dict_set_text heed_dict_text heed_dict_text_count heed_dict_text_key] */
    heed_dict *dict = heed_dict_new();
    heed_dict_set_text(dict, "author", "Nadaraya");
    heed_dict_set_text(dict, "year", "1964");
    for (int64_t i = 0; i < heed_dict_text_count(dict); i++) {
        const char *key = heed_dict_text_key(dict, i);
        printf("%s: %s. ", key, heed_dict_text(dict, key)); /* -> author: Nadaraya. year: 1964. */
    }
    heed_dict_free(dict);
    /* [] */
}

static void example_load(void)
{
    /* [heed_dict_load] */
    heed_dict *into = heed_dict_new(), *from = heed_dict_new();
    heed_tensor *weight = heed_zeros(HEED_F32, HEED_SHAPE(3));
    heed_dict_set(into, "weight", weight);
    heed_dict_set(from, "model.weight", heed_arange(HEED_F32, 1, 4, 1));
    heed_dict_set(from, "model.step", heed_zeros(HEED_I64, HEED_SCALAR));
    heed_dict_load(into, from, &(heed_dict_load_options){.prefix = "model.", .allow_unexpected = true});
    heed_print(weight, stdout); /* -> tensor([1., 2., 3.], shape=(3), dtype=f32) */
    heed_dict_free(into);
    heed_dict_free(from);
    /* [] */
}

int main(void)
{
    example_set();
    example_has();
    example_walk();
    example_texts();
    example_load();
    return 0;
}
