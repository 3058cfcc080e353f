/* tests/promises/test_option_pairs.c - a value of an option that has no effect without a second option is an error,
 * not silence. The pairs has_NAME and NAME are read from the public headers: each must have a case here.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <dirent.h>
#include <stdio.h>

/* -- Cases --------------------------------------------------------------------------------------------------------- */

typedef struct pair {
    const char *value; /* the field that needs a second field */
    heed_tensor *(*run)(void);
    const char *function;
} pair;

#define CLASS_LOSS(name)                                                                                               \
    static heed_tensor *name(void)                                                                                     \
    {                                                                                                                  \
        heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 3)), *targets = heed_zeros(HEED_I64, HEED_SHAPE(2));       \
        return heed_##name(x, targets, &(heed_class_loss_options){.ignore_index = 1});                                 \
    }
CLASS_LOSS(cross_entropy)
CLASS_LOSS(nll_loss)

static heed_tensor *embedding(void)
{
    heed_nn_embedding *net = heed_nn_embedding_new(3, 2, &(heed_nn_embedding_options){.padding_idx = 1});
    return net ? net->weight : NULL;
}

static const pair pairs[] = {
    {"ignore_index", cross_entropy, "cross_entropy"},
    {"ignore_index", nll_loss, "nll_loss"},
    {"padding_idx", embedding, "nn_embedding_new"},
};

START_TEST(a_value_without_its_flag_fails)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ck_assert_ptr_null(pairs[i].run());
        ck_assert_ptr_nonnull(strstr(heed_error_message(), pairs[i].function));
        ck_assert_error(HEED_ERR_ARGUMENT, pairs[i].value);
    }
}
END_TEST

START_TEST(an_option_of_rope_without_rope_fails)
{
    static const heed_nn_multi_head_attention_options options[] = {
        {.rope_interleaved = true},
        {.rope_base = 5e5},
        {.rope_dims = 4},
        {.rope_factor = 2},
        {.rope_low_freq_factor = 1},
        {.rope_original_len = 128},
        {.rope_high_freq_factor = 4},
        {.rope_scaling = HEED_ROPE_YARN},
        {.rope_no_truncate = true},
        {.rope_attention_factor = 1},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        ck_assert_ptr_null(heed_nn_multi_head_attention_new(8, 2, &options[i]));
        ck_assert_error(HEED_ERR_ARGUMENT, "and rope is false: set rope to use it");
    }
    ck_assert_ptr_null(heed_nn_decoder_new(10, 8, 1, 16, 2, &(heed_nn_decoder_options){.rope_base = 5e5}));
    ck_assert_error(HEED_ERR_ARGUMENT, "rope_base is 500000 and rope is false");
}
END_TEST

/* -- The headers --------------------------------------------------------------------------------------------------- */

static bool is_known(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strlen(pairs[i].value) == length && strncmp(pairs[i].value, name, length) == 0)
            return true;
    return false;
}

/* Counts the has_ fields of a header. */
static int check_header(const char *path)
{
    static const char flag[] = "bool has_";
    char line[512];
    int found = 0;
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    while (fgets(line, sizeof line, file)) {
        const char *at = strstr(line, flag);
        if (!at || !strchr(at, ';') || strchr(at, '('))
            continue;
        const char *name = at + strlen(flag);
        const size_t length = strcspn(name, ";, ");
        ck_assert_msg(is_known(name, length), "%s: has_%.*s has no case in this test", path, (int)length, name);
        found++;
    }
    (void)fclose(file);
    return found;
}

static int check_folder(const char *path)
{
    int found = 0;
    DIR *folder = opendir(path);
    ck_assert_msg(folder != NULL, "%s", path);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char below[1024];
        const char *name = entry->d_name;
        const size_t length = strlen(name);
        (void)snprintf(below, sizeof below, "%s/%s", path, name);
        if (length > 2 && strcmp(name + length - 2, ".h") == 0)
            found += check_header(below);
        else if (!strchr(name, '.'))
            found += check_folder(below);
    }
    (void)closedir(folder);
    return found;
}

START_TEST(every_pair_of_the_headers_has_a_case)
{
    static const char *const folders[] = {"include/heed", "companions/onnx/include/heed",
                                          "companions/tensorboard/include/heed", "companions/mpi/include/heed",
                                          "companions/images/include/heed"};
    int found = 0;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", HEED_SOURCE_DIR, folders[i]);
        found += check_folder(path);
    }
    ck_assert_int_ge(found, 1);
}
END_TEST

HEED_TEST_MAIN("option_pairs", a_value_without_its_flag_fails, an_option_of_rope_without_rope_fails,
               every_pair_of_the_headers_has_a_case)
