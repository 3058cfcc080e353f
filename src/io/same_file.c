/* io/same_file.c - compares the files of two paths. It is not in file.c, of which the companions have hidden copies.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/error.h>
#include <heed/io.h>

#include "system/files.h"

bool heed_io_same_file(const char *path, const char *other)
{
    static const char where[] = "io_same_file";
    HEED_ENTER(where);
    heed__file_facts facts, others;
    if (!path || !other)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s path is NULL", path ? "the other" : "the");
    return heed__facts_of_path(HEED_WORKING_FOLDER, path, &facts) &&
           heed__facts_of_path(HEED_WORKING_FOLDER, other, &others) && facts.device == others.device &&
           facts.number == others.number;
}
