/* plot/axes.h - a box of pixels with a scale along each side. */
#ifndef HEED_PLOT_AXES_H
#define HEED_PLOT_AXES_H

#include "plot/axis.h"
#include "plot/draw.h"

#define HEED__GRID_COLOR 0xd9d9d9u /* light enough not to show through bands */

typedef struct heed__axes {
    heed__rect box;  /* the data's pixels; the frame lies around them */
    heed__rect area; /* the pixels that labels must not leave */
    heed__axis x, y;
    bool no_x_labels, no_y_labels; /* marks without numbers */
    bool right;                    /* the marks of y are on the right */
} heed__axes;

/* Where a value lies, in pixels. */
double heed__axes_x(const heed__axes *axes, const heed__look *look, double value);
double heed__axes_y(const heed__axes *axes, const heed__look *look, double value);

/* How far what is written at the x axis's ticks reaches beyond the box on its left and on its right; 0 or more. */
void heed__axes_overhang(const heed__axes *axes, const heed__look *look, double *left, double *right);

/* A grid at the ticks; names have none. */
void heed__axes_grid(heed__surface *surface, const heed__axes *axes, const heed__look *look);

/* Frame, marks and numbers. */
void heed__axes_draw(heed__surface *surface, const heed__axes *axes, const heed__look *look);

/* Axis labels and title, made smaller where they do not fit into `room` less a margin on each side. */
void heed__axes_xlabel(heed__surface *surface, const heed__axes *axes, const heed__look *look, const char *text,
                       double room);
void heed__axes_ylabel(heed__surface *surface, const heed__axes *axes, const heed__look *look, const char *text,
                       double room);
void heed__axes_title(heed__surface *surface, const heed__axes *axes, const heed__look *look, const char *text,
                      double room);

/* Space that axes need below their box, and to the left of it, for marks, numbers and a label if there is one. */
double heed__axes_below(const heed__axis *x, const heed__look *look, const char *label);
double heed__axes_beside(const heed__axis *y, const heed__look *look, const char *label);

#endif
