/* images/tests/folders.h - temporary folders of classes made of the files of data.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef IMAGES_FOLDERS_H
#define IMAGES_FOLDERS_H

#include "expected.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/heed-images-XXXXXX";

static inline path_text below(const char *name)
{
    path_text path;
    (void)snprintf(path.s, sizeof path.s, "%s/%s", folder, name);
    return path;
}

static inline void make_sub_folder(const char *name)
{
    ck_assert_int_eq(mkdir(below(name).s, 0777), 0);
}

/* Copies a file of data; `file` and `name` have endings. */
static inline void copy_file(const char *file, const char *name)
{
    unsigned char bytes[MAX_FILE];
    const size_t size = read_file(data_path(file, "").s, bytes);
    FILE *to = fopen(below(name).s, "wb");
    ck_assert(to && fwrite(bytes, 1, size, to) == size && fclose(to) == 0);
}

/* Makes three classes with eleven images of different sizes, and files with ignored names. */
static inline void make_classes(void)
{
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    static const char *const folders[] = {"dog", "cat", "Zebra", "cat/b", "cat/.hidden", ".git"};
    static const char *const files[][2] = {{"rgb8.png", "dog/2.png"},
                                           {"yuv420.jpg", "dog/10.jpg"},
                                           {"gray8.png", "dog/1.PNG"},
                                           {"gray.jpg", "cat/z.JpEg"},
                                           {"rgba8.png", "cat/b/a.png"},
                                           {"cmyk.jpg", "cat/b/A.jpg"},
                                           {"palette_alpha.png", "cat/a.png"},
                                           {"rgb16.png", "Zebra/1.png"},
                                           {"yuv444.jpg", "Zebra/2.jpg"},
                                           {"progressive.jpg", "Zebra/3.jpeg"},
                                           {"oriented.jpg", "Zebra/4.jpg"},
                                           {"rgb8.png", "cat/.hidden/x.png"},
                                           {"rgb8.png", "cat/.x.png"},
                                           {"rgb8.png", "cat/notes.txt"},
                                           {"rgb8.png", "top.png"},
                                           {"rgb8.png", "cat/png"},
                                           {"rgb8.png", ".git/x.png"}};
    for (size_t i = 0; i < COUNT(folders); i++)
        make_sub_folder(folders[i]);
    for (size_t i = 0; i < COUNT(files); i++)
        copy_file(files[i][0], files[i][1]);
}

/* The samples of these classes in their order. */
static const char *const class_names[] = {"Zebra", "cat", "dog"};
static const char *const ordered[] = {"Zebra/1.png", "Zebra/2.jpg", "Zebra/3.jpeg", "Zebra/4.jpg",
                                      "cat/a.png",   "cat/z.JpEg",  "cat/b/A.jpg",  "cat/b/a.png",
                                      "dog/1.PNG",   "dog/10.jpg",  "dog/2.png"};

static inline void remove_all(const char *path)
{
    DIR *list = opendir(path);
    ck_assert_ptr_nonnull(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        char inner[1024];
        (void)snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && unlink(inner) != 0)
            remove_all(inner);
    }
    ck_assert(closedir(list) == 0 && rmdir(path) == 0);
}

#endif
