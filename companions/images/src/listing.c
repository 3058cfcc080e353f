/* images/src/listing.c - lists the sub-folders of a folder, and the image files below them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "listing.h"

#include <errno.h>
#include <string.h>

#include <heed/memory.h>

#include "io/file.h"
#include "system/files.h"

#define MAX_DEPTH 32

/* -- Names --------------------------------------------------------------------------------------------------------- */

static bool is_image(const char *name)
{
    static const char *const endings[] = {".png", ".jpg", ".jpeg"};
    const size_t size = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t n = strlen(endings[i]);
        size_t same = 0;
        while (size > n && same < n && (name[size - n + same] | 0x20) == (endings[i][same] | 0x20))
            same++;
        if (same == n)
            return true;
    }
    return false;
}

/* Doubles a block until it has `needed` elements. Returns false after heed_fail; the block is then unchanged. */
static bool reserve(void **block, size_t *capacity, size_t needed, size_t element)
{
    size_t larger = *capacity ? *capacity : 64;
    while (larger < needed)
        larger *= 2;
    if (larger == *capacity)
        return true;
    void *moved = heed_calloc(larger, element);
    if (!moved)
        return false;
    if (*block)
        memcpy(moved, *block, *capacity * element);
    heed_free(*block, *capacity * element);
    *block = moved;
    *capacity = larger;
    return true;
}

static bool append(heed__listing_of_images *list, const char *path, int64_t category)
{
    const size_t size = strlen(path) + 1;
    void *text = list->text, *files = list->files;
    const bool ok = reserve(&text, &list->text_capacity, list->text_size + size, 1);
    list->text = text;
    if (!ok || !reserve(&files, &list->capacity, list->count + 1, sizeof *list->files))
        return false;
    list->files = files;
    memcpy(list->text + list->text_size, path, size);
    list->files[list->count++] = (heed__image_file){list->text_size, category};
    list->text_size += size;
    return true;
}

void heed__listing_free(heed__listing_of_images *list)
{
    heed_free(list->text, list->text_capacity);
    heed_free(list->files, list->capacity * sizeof *list->files);
    *list = (heed__listing_of_images){0};
}

/* -- Walking ------------------------------------------------------------------------------------------------------- */

/* A walk through folders. `path` is the present folder or file; a walk of classes lists only sub-folders. */
typedef struct walk {
    const char *where;
    bool classes;
    int depth;
    int64_t category;
    heed__listing_of_images *list;
    char path[HEED_PATH_MAX];
} walk;

static bool walk_folder(walk *w);

/* Appends the name to the path of the walk and returns the old length, or 0 after heed_fail. */
static size_t enter(walk *w, const char *name)
{
    const size_t before = strlen(w->path), size = strlen(name);
    if (before + size + 2 > sizeof w->path) {
        heed_fail(HEED_ERR_IO, w->where, "the path %s/%s is too long", heed__path_excerpt(w->path).s,
                  heed__excerpt(name, size).s);
        return 0;
    }
    w->path[before] = '/';
    memcpy(w->path + before + 1, name, size + 1);
    return before;
}

/* Lists the file or folder at the path of the walk. */
static bool visit(walk *w, const char *name)
{
    heed__file_facts facts;
    const bool image = !w->classes && is_image(name);
    if (!heed__facts_of_path(HEED_WORKING_FOLDER, w->path, &facts))
        return !image || heed__file_error(w->where, "read", w->path, errno);
    if (facts.kind == HEED_FOLDER && w->classes)
        return append(w->list, name, 0);
    if (facts.kind == HEED_FOLDER)
        return walk_folder(w);
    return !image || append(w->list, w->path, w->category);
}

static bool walk_names(walk *w, heed__listing *names)
{
    for (const char *name; (name = heed__list_next(names)) != NULL;) {
        if (name[0] == '.')
            continue;
        const size_t before = enter(w, name);
        if (before == 0 || !visit(w, w->path + before + 1))
            return false;
        w->path[before] = '\0';
    }
    return errno == 0 || heed__file_error(w->where, "list the folder", w->path, errno);
}

/* Lists the folder at the path of the walk. */
static bool walk_folder(walk *w)
{
    if (w->depth == MAX_DEPTH)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, w->where, "%s is more than %d folders deep",
                               heed__path_excerpt(w->path).s, MAX_DEPTH);
    heed__listing *names = heed__folder_list(heed__open_folder(HEED_WORKING_FOLDER, w->path));
    if (!names)
        return heed__file_error(w->where, "open the folder", w->path, errno);
    w->depth++;
    const bool ok = walk_names(w, names);
    w->depth--;
    heed__list_end(names);
    return ok;
}

/* Lists FOLDER/NAME, or FOLDER if name is NULL. */
static bool start(const char *where, const char *folder, const char *name, int64_t category,
                  heed__listing_of_images *list)
{
    walk *w = heed_alloc(sizeof *w);
    if (!w)
        return false;
    const size_t size = strlen(folder);
    w->where = where;
    w->classes = !name;
    w->depth = 0;
    w->category = category;
    w->list = list;
    w->path[0] = '\0';
    bool ok = size < sizeof w->path;
    if (ok)
        memcpy(w->path, folder, size + 1);
    else
        heed_fail(HEED_ERR_IO, where, "the path %s is too long", heed__path_excerpt(folder).s);
    ok = ok && (!name || enter(w, name) > 0) && walk_folder(w);
    heed_free(w, sizeof *w);
    return ok;
}

/* -- Order --------------------------------------------------------------------------------------------------------- */

/* Compares paths by class, by folder, and by name, as torchvision sorts them. */
static int compare(const heed__listing_of_images *list, const heed__image_file *a, const heed__image_file *b)
{
    const char *x = list->text + a->path, *y = list->text + b->path;
    const size_t n = (size_t)(heed__name_in(x) - x), m = (size_t)(heed__name_in(y) - y);
    if (a->category != b->category)
        return a->category < b->category ? -1 : 1;
    const int folders = memcmp(x, y, n < m ? n : m);
    if (folders != 0 || n != m)
        return folders != 0 ? folders : n < m ? -1 : 1;
    return strcmp(x, y);
}

/* Merges the sorted spans [a, b) and [b, end) of `from` into `to`. */
static void merge(const heed__listing_of_images *list, const heed__image_file *from, size_t a, size_t b, size_t end,
                  heed__image_file *to)
{
    size_t left = a, right = b;
    for (size_t i = a; i < end; i++) {
        const bool takes_left = right == end || (left < b && compare(list, &from[left], &from[right]) <= 0);
        to[i] = from[takes_left ? left++ : right++];
    }
}

/* Sorts the files by bottom-up merge sort. */
static bool sort(heed__listing_of_images *list)
{
    const size_t n = list->count, bytes = list->capacity * sizeof *list->files;
    heed__image_file *other = heed_alloc(bytes);
    if (!other)
        return false;
    for (size_t span = 1; span < n; span *= 2) {
        for (size_t a = 0; a < n; a += 2 * span)
            merge(list, list->files, a, a + span < n ? a + span : n, a + 2 * span < n ? a + 2 * span : n, other);
        heed__image_file *sorted = other;
        other = list->files;
        list->files = sorted;
    }
    heed_free(other, bytes);
    return true;
}

/* -- A folder of classes ------------------------------------------------------------------------------------------- */

heed_categories *heed__image_classes(const char *where, const char *folder)
{
    heed__listing_of_images list = {0};
    heed_categories *classes = NULL;
    const char **names = NULL;
    if (!folder)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the folder is NULL");
    if (!start(where, folder, NULL, 0, &list))
        ; /* the error is pending */
    else if (list.count == 0)
        heed_fail(HEED_ERR_FORMAT, where, "%s has no sub-folder: every class is a sub-folder with images",
                  heed__path_excerpt(folder).s);
    else
        names = heed_calloc(list.count, sizeof *names);
    for (size_t i = 0; names && i < list.count; i++)
        names[i] = list.text + list.files[i].path;
    if (names)
        classes = heed_categories_new(names, (int64_t)list.count);
    heed_free(names, list.count * sizeof *names);
    heed__listing_free(&list);
    return classes;
}

bool heed__list_images(const char *where, const char *folder, const heed_categories *classes,
                       heed__listing_of_images *list)
{
    bool ok = true;
    *list = (heed__listing_of_images){0};
    for (int64_t c = 0; c < heed_categories_count(classes) && ok; c++) {
        const size_t before = list->count;
        const char *name = heed_categories_name(classes, c);
        ok = start(where, folder, name, c, list);
        if (ok && list->count == before)
            ok = heed_fail_false(HEED_ERR_FORMAT, where, "the class %s of %s has no .png, .jpg or .jpeg file",
                                 heed__excerpt(name, strlen(name)).s, heed__path_excerpt(folder).s);
    }
    ok = ok && sort(list);
    if (!ok)
        heed__listing_free(list);
    return ok;
}
