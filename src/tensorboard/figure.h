/* tensorboard/figure.h - what a PNG file says of itself. */
#ifndef HEED_TENSORBOARD_FIGURE_H
#define HEED_TENSORBOARD_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heed__tb_figure {
    int32_t width, height, channels;
} heed__tb_figure;

/* False for what does not begin and end as a PNG file does, or has no pixels. */
bool heed__tb_figure_read(heed__tb_figure *figure, const uint8_t *bytes, size_t size);

#endif
