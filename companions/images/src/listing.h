/* images/src/listing.h - the image files in a folder of classes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IMAGES_LISTING_H
#define HEED_IMAGES_LISTING_H

#include <heed/images.h>

/* A file: its path after the folder, and its class. */
typedef struct heed__image_file {
    size_t path; /* offset in `text` */
    int64_t category;
} heed__image_file;

typedef struct heed__listing_of_images {
    char *text; /* the folder, and the paths, each with a NUL */
    size_t text_size, text_capacity;
    heed__image_file *files; /* sorted */
    size_t count, capacity;
} heed__listing_of_images;

/* Returns the names of the sub-folders. NULL after heed_fail. */
heed_categories *heed__image_classes(const char *where, const char *folder);

/* Lists the files of all classes. Returns false after heed_fail; the listing is then empty. */
bool heed__list_images(const char *where, const char *folder, const heed_categories *classes,
                       heed__listing_of_images *list);

void heed__listing_free(heed__listing_of_images *list);

#endif
