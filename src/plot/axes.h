/* plot/axes.h - a box of pixels with an axis along every side.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_AXES_H
#define HEED_PLOT_AXES_H

#include "plot/axis.h"
#include "plot/draw.h"

#define HEED__GRID_COLOR 0xd9d9d9u /* so light that grid lines do not show through bands */

typedef struct heed__axes {
    const heed__plot_lengths *lengths;
    heed__rect box;  /* the pixels in which data are drawn; the frame is around them */
    heed__rect area; /* the pixels that labels may use */
    heed__axis x, y;
    bool no_x_labels, no_y_labels; /* tick marks without labels */
    bool right;                    /* the tick marks of y are on the right */
} heed__axes;

/* Return the position of a value in pixels. */
double heed__axes_x(const heed__axes *axes, double value);
double heed__axes_y(const heed__axes *axes, double value);

/* Computes by how many pixels tick labels of the x axis extend beyond the left and the right side of the box; at least
 * 0. */
void heed__axes_overhang(const heed__axes *axes, double *left, double *right);

/* Draws grid lines at the ticks of both axes, except at named ticks. */
void heed__axes_grid(heed__surface *surface, const heed__axes *axes);

/* Draws the frame, tick marks and tick labels. */
void heed__axes_draw(heed__surface *surface, const heed__axes *axes);

/* Draw an axis label and the title. The text is made smaller if it does not fit into `space` pixels minus a margin on
 * both sides. */
void heed__axes_xlabel(heed__surface *surface, const heed__axes *axes, const char *text, double space);
void heed__axes_ylabel(heed__surface *surface, const heed__axes *axes, const char *text, double space);
void heed__axes_title(heed__surface *surface, const heed__axes *axes, const char *text, double space);

/* Return the pixels that the axes need below their box and to the left of it, for tick marks, tick labels and the axis
 * label `label`, which may be NULL. */
double heed__axes_below(const heed__axes *axes, const char *label);
double heed__axes_beside(const heed__axes *axes, const char *label);

#endif
