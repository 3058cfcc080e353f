/* tests/parity/test_parity.c - every op and module against PyTorch: outputs and gradients of tests/parity/data, in f64 and f32.
 *
 * scripts/parity makes the data again. A new op needs a reference in a .py file of tests/parity, a new module
 * an adapter in modules.def, too; the tests below say so. */

#include <dirent.h>
#include <stdio.h>

#include "check_heed.h"
#include "parity/parity.h"

static bool has_adapter(const char *name)
{
    int count;
    const parity_adapter *adapters = parity_adapters(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(adapters[i].name, name) == 0)
            return true;
    return false;
}

START_TEST(same_as_pytorch)
{
    int count;
    const parity_adapter *adapters = parity_adapters(&count);
    parity_run_file(&adapters[_i / 2], _i % 2 == 0 ? HEED_F64 : HEED_F32);
}
END_TEST

/* Each heed_nn_NAME_forward that a header declares. */
static void check_header(const char *name)
{
    char path[512], line[512], module[128];
    int found = 0;
    (void)snprintf(path, sizeof path, "%s/include/heed/%s", HEED_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    while (fgets(line, sizeof line, file)) {
        const char *at = strstr(line, "*heed_nn_");
        if (!at || sscanf(at, "*heed_%127[a-z0-9_](", module) != 1)
            continue;
        char *end = strstr(module, "_forward");
        if (!end || strcmp(end, "_forward") != 0)
            continue;
        *end = '\0';
        found++;
        ck_assert_msg(has_adapter(module),
                      "the module %s of heed/%s is not compared with PyTorch: write its adapter "
                      "in tests/parity/modules.def and its reference beside it",
                      module, name);
    }
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_msg(found > 0, "no module found in %s", path);
}

START_TEST(every_module_has_data)
{
    check_header("nn.h");
    check_header("recurrent.h");
}
END_TEST

START_TEST(every_file_has_an_adapter)
{
    int found = 0, count;
    (void)parity_adapters(&count);
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
        ck_assert_msg(has_adapter(name), "no adapter reads tests/parity/data/%s", file->d_name);
    }
    closedir(folder);
    ck_assert_int_eq(found, count);
}
END_TEST

int main(void)
{
    int count;
    (void)parity_adapters(&count);
    TCase *tcase = heed_test_case("parity");
    tcase_add_test(tcase, every_module_has_data);
    tcase_add_test(tcase, every_file_has_an_adapter);
    tcase_add_loop_test(tcase, same_as_pytorch, 0, 2 * count);
    return heed_run_case("parity", tcase);
}
