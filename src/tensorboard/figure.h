/* tensorboard/figure.h - reads the header of a PNG file. */
#ifndef HEED_TENSORBOARD_FIGURE_H
#define HEED_TENSORBOARD_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heed__tb_figure {
    int32_t width, height, channels;
} heed__tb_figure;

/* Returns false if the bytes do not begin and end like a PNG file, or the picture is empty. */
bool heed__tb_figure_read(heed__tb_figure *figure, const uint8_t *bytes, size_t size);

#endif
