/* inspect/table.h - formats numbers for tables, independently of the locale. */
#ifndef HEED_INSPECT_TABLE_H
#define HEED_INSPECT_TABLE_H

#include <stdint.h>

typedef struct heed__table_cell {
    char s[48];
} heed__table_cell;

/* Returns "12.34", with `digits` digits after the decimal point. */
heed__table_cell heed__fixed(double value, int digits);

/* Returns "1,234,567"; "-" for 0. */
heed__table_cell heed__grouped(int64_t value);

/* Returns "512 B", "1.50 KiB", "23.4 MiB"; "-" for 0. */
heed__table_cell heed__bytes(int64_t value);

#endif
