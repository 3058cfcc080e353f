/* plot/legend.c - draws legends; lengths are matplotlib's, in points. */
#include <math.h>
#include <string.h>

#include "plot/legend.h"
#include "plot/text.h"

#define BORDER 4.0  /* distance from the box to its content */
#define SPACING 5.0 /* distance between entries */
#define SAMPLE 20.0 /* length of the sample of a curve */
#define SAMPLE_HEIGHT 7.0
#define TEXT_PAD 8.0 /* distance from the sample to the text */
#define AXES_PAD 5.0 /* distance from the axes to the box */
#define ROUNDING 2.0 /* radius of the corners */
#define EDGE_COLOR 0xccccccu
#define OPACITY 0.8

typedef struct legend {
    const heed__plot_lengths *lengths;
    int entries;
    double font, entry_height, width, height;
} legend;

static bool is_named(const heed__series *series)
{
    return series->label && *series->label;
}

static legend measure(heed__rect box, const heed__plot_lengths *lengths, const heed__series *series, int count)
{
    legend l = {.lengths = lengths, .font = lengths->font};
    l.entry_height = heed__text_rise(lengths->font) + heed__text_drop(lengths->font);
    double frame = (2 * BORDER + SAMPLE + TEXT_PAD) * lengths->pt;
    double space = fmax(box.x1 - box.x0 - 2 * AXES_PAD * lengths->pt - frame, 1), text = 0;
    for (int i = 0; i < count; i++) {
        l.entries += is_named(&series[i]);
        l.font = fmin(l.font, is_named(&series[i]) ? heed__text_fit(series[i].label, lengths->font, space) : l.font);
    }
    for (int i = 0; i < count; i++)
        text = fmax(text, is_named(&series[i]) ? heed__text_width(series[i].label, l.font) : 0);
    l.width = frame + text;
    l.height = 2 * BORDER * lengths->pt + l.entries * l.entry_height + (l.entries - 1) * SPACING * lengths->pt;
    return l;
}

/* Counts the pixels in the rectangle that differ from the background and from grid lines. */
static int64_t count_ink(const heed__canvas *canvas, heed__rect rect)
{
    static const uint8_t white[3] = {HEED__WHITE & 255, HEED__WHITE & 255, HEED__WHITE & 255};
    static const uint8_t grid[3] = {HEED__GRID_COLOR & 255, HEED__GRID_COLOR & 255, HEED__GRID_COLOR & 255};
    heed__rect r = heed__rect_intersect(rect, heed__canvas_bounds(canvas));
    int64_t ink = 0;
    for (int y = r.y0; y < r.y1; y++)
        for (int x = r.x0; x < r.x1; x++) {
            const uint8_t *pixel = canvas->rgb + ((size_t)y * (size_t)canvas->width + (size_t)x) * 3;
            ink += memcmp(pixel, white, 3) != 0 && memcmp(pixel, grid, 3) != 0;
        }
    return ink;
}

/* Returns the legend's box. `right` and `down` are its position in the free space, from 0 (left, top) to 1 (right,
 * bottom). */
static heed__rect box_at(const legend *l, heed__rect box, double right, double down)
{
    double pad = AXES_PAD * l->lengths->pt;
    double x = box.x0 + pad + right * fmax(box.x1 - box.x0 - 2 * pad - l->width, 0);
    double y = box.y0 + pad + down * fmax(box.y1 - box.y0 - 2 * pad - l->height, 0);
    int x0 = heed__pixel(x + 0.5), y0 = heed__pixel(y + 0.5);
    return (heed__rect){x0, y0, x0 + heed__pixel(ceil(l->width)), y0 + heed__pixel(ceil(l->height))};
}

/* Returns the legend's box at the position where it covers the fewest drawn pixels. If several positions are equal, the
 * first one counts; corners come first. */
static heed__rect best_box(const heed__canvas *canvas, const legend *l, heed__rect box)
{
    static const double positions[][2] = {{1, 0},   {0, 0},   {0, 1},   {1, 1},    {1, 0.5},
                                          {0, 0.5}, {0.5, 0}, {0.5, 1}, {0.5, 0.5}};
    heed__rect best = box_at(l, box, 1, 0);
    int64_t least = count_ink(canvas, best);
    for (size_t i = 1; i < sizeof positions / sizeof positions[0] && least > 0; i++) {
        heed__rect at = box_at(l, box, positions[i][0], positions[i][1]);
        int64_t ink = count_ink(canvas, at);
        if (ink < least) {
            least = ink;
            best = at;
        }
    }
    return best;
}

double heed__legend_height(heed__rect box, const heed__plot_lengths *lengths, const heed__series *series, int count)
{
    legend l = measure(box, lengths, series, count);
    return l.entries > 0 ? l.height + 2 * AXES_PAD * lengths->pt : 0;
}

void heed__legend_draw(heed__surface *surface, heed__rect box, const heed__plot_lengths *lengths,
                       const heed__series *series, int count)
{
    legend l = measure(box, lengths, series, count);
    if (l.entries == 0)
        return;
    heed__rect at = best_box(&surface->canvas, &l, box);
    heed__draw_round_box(surface, &(heed__round_box){.x0 = at.x0 + lengths->line / 2.0,
                                                     .y0 = at.y0 + lengths->line / 2.0,
                                                     .x1 = at.x1 - lengths->line / 2.0,
                                                     .y1 = at.y1 - lengths->line / 2.0,
                                                     .radius = ROUNDING * lengths->pt,
                                                     .fill = HEED__WHITE,
                                                     .edge = EDGE_COLOR,
                                                     .edge_width = lengths->line,
                                                     .opacity = OPACITY});
    double x = at.x0 + BORDER * lengths->pt, y = at.y0 + BORDER * lengths->pt;
    heed__font_style style = {.size = l.font, .color = HEED__BLACK};
    for (int i = 0; i < count; i++) {
        if (!is_named(&series[i]))
            continue;
        heed__marks_sample(surface, &series[i], x, floor(y + l.entry_height / 2 + 0.5), SAMPLE * lengths->pt,
                           SAMPLE_HEIGHT * lengths->pt, lengths->pt);
        heed__draw_text(surface, series[i].label, x + (SAMPLE + TEXT_PAD) * lengths->pt,
                        y + heed__text_rise(lengths->font), &style);
        y += l.entry_height + SPACING * lengths->pt;
    }
}
