/* tests/parity/test_parity.c - every op and layer against PyTorch: outputs and gradients of tests/parity/data, in
 * f64 and f32.
 *
 * scripts/parity regenerates the data. A new op or layer needs a reference in a .py file of tests/parity.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <dirent.h>
#include <stdio.h>

#include "check_heed.h"
#include "parity/parity.h"

START_TEST(same_as_pytorch)
{
    parity_subject subject;
    ck_assert(parity_subject_at(_i / 2, &subject));
    if (!heed_test_chooses(subject.name))
        return;
    parity_run_file(&subject, _i % 2 == 0 ? HEED_F64 : HEED_F32);
}
END_TEST

static int count_subjects(void)
{
    parity_subject subject;
    int count = 0;
    while (parity_subject_at(count, &subject))
        count++;
    return count;
}

static bool is_subject(const char *name)
{
    parity_subject subject;
    for (int i = 0; parity_subject_at(i, &subject); i++)
        if (strcmp(subject.name, name) == 0)
            return true;
    return false;
}

START_TEST(every_file_is_read)
{
    int found = 0;
    DIR *folder = opendir(PARITY_DATA);
    ck_assert_msg(folder != NULL, "%s cannot be read", PARITY_DATA);
    for (const struct dirent *file; (file = readdir(folder)) != NULL;) {
        char name[sizeof file->d_name];
        (void)snprintf(name, sizeof name, "%s", file->d_name);
        char *end = strstr(name, ".json");
        if (!end)
            continue;
        *end = '\0';
        found++;
        ck_assert_msg(is_subject(name), "tests/parity/data/%s: there is no heed_%s", file->d_name, name);
    }
    closedir(folder);
    ck_assert_int_eq(found, count_subjects());
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("parity");
    tcase_add_test(tcase, every_file_is_read);
    tcase_add_loop_test(tcase, same_as_pytorch, 0, 2 * count_subjects());
    return heed_run_case("parity", tcase);
}
