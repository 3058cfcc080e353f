/* tests/system/test_processors.c - tests the CPU quota of control groups, read from files like the kernel's: version 2,
 * version 1, both at once, in a container, and invalid files.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "system/system.h"

#include <limits.h>
#include <stdio.h>

#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/heed-groups-XXXXXX";

/* Writes text to a file below root and creates its folders. */
static void put(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *at = full + strlen(root) + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        mkdir(full, 0700);
    }
    FILE *file = fopen(full, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

/* Returns the limit for the groups in this text, mounted at the folder `mount` of root. */
static int limit(const char *groups, const char *mount)
{
    char list[512], folder[512];
    put("list", groups);
    snprintf(list, sizeof list, "%s/list", root);
    snprintf(folder, sizeof folder, "%s/%s", root, mount);
    return heed__processors_of_groups(list, folder);
}

START_TEST(version_2)
{
    put("v2/free/cpu.max", "max 100000\n");
    put("v2/half/cpu.max", "50000 100000\n");
    put("v2/three/cpu.max", "300000 100000\n");
    put("v2/three/free/cpu.max", "max 100000\n");
    put("v2/three/two/cpu.max", "100001 100000\n");
    put("v2/two/five/cpu.max", "500000 100000\n");
    put("v2/two/cpu.max", "40000 20000\n");
    ck_assert_int_eq(limit("0::/\n", "v2"), INT_MAX);
    ck_assert_int_eq(limit("0::/free\n", "v2"), INT_MAX);
    ck_assert_int_eq(limit("0::/half\n", "v2"), 1);
    ck_assert_int_eq(limit("0::/three/free\n", "v2"), 3);
    ck_assert_int_eq(limit("0::/three/two\n", "v2"), 2);
    ck_assert_int_eq(limit("0::/two/five\n", "v2"), 2);
    ck_assert_int_eq(limit("0::/elsewhere/five", "v2"), INT_MAX);
}
END_TEST

START_TEST(version_1)
{
    static const char *const groups = "9:name=systemd:/\n4:cpuset:/no\n2:cpuacct,cpu:/a/b\n1:memory:/no\n0::/\n";
    put("v1/cpu/a/b/cpu.cfs_quota_us", "-1\n");
    put("v1/cpu/a/b/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(limit(groups, "v1"), INT_MAX);
    put("v1/cpu/a/cpu.cfs_quota_us", "250000\n");
    ck_assert_int_eq(limit(groups, "v1"), INT_MAX);
    put("v1/cpu/a/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(limit(groups, "v1"), 3);
    ck_assert_int_eq(limit("4:cpuset:/a/b\n3:cpuacct:/a/b\n", "v1"), INT_MAX);
}
END_TEST

/* The mount shows the container's own group as the root. */
START_TEST(a_container)
{
    put("own/cpu.max", "200000 100000\n");
    ck_assert_int_eq(limit("0::/system.slice/docker-0123.scope\n", "own"), 2);
}
END_TEST

START_TEST(files_without_sense)
{
    static const char *const texts[] = {"", "\n", "100000", "x y", "0 100000", "100000 0", "-5 -5", "100000 -1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put("odd/g/cpu.max", texts[i]);
        ck_assert_msg(limit("0::/g\n", "odd") == INT_MAX, "\"%s\": %d", texts[i], limit("0::/g\n", "odd"));
    }
    put("odd/g/cpu.max", "9223372036854775807 1\n");
    ck_assert_int_eq(limit("0::/g\n", "odd"), INT_MAX);
    put("odd/g/cpu.max", "100000 100000\n");
    static const char *const lists[] = {"", "0", "0:", "::\n", "0:cpu\n", "1:cpu:/g\n", "0:x:/g\n"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        ck_assert_msg(limit(lists[i], "odd") == INT_MAX, "\"%s\"", lists[i]);
    ck_assert_int_eq(heed__processors_of_groups("/nowhere/at/all", root), INT_MAX);
    char longest[2000];
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "0::/", 4);
    memcpy(longest + sizeof longest - 8, "\n0::/g\n", 8);
    ck_assert_int_eq(limit(longest, "odd"), 1);
}
END_TEST

START_TEST(there_is_at_least_one)
{
    ck_assert_int_ge(heed__processors(), 1);
}
END_TEST

int main(void)
{
    if (!mkdtemp(root))
        return EXIT_FAILURE;
    const TTest *const tests[] = {version_2, version_1, a_container, files_without_sense, there_is_at_least_one};
    const int result = heed_run_tests("processors", tests, sizeof tests / sizeof tests[0]);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command) == 0 ? result : EXIT_FAILURE;
}
