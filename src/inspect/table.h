/* inspect/table.h - numbers in tables: with the point of no locale. */
#ifndef HEED_INSPECT_TABLE_H
#define HEED_INSPECT_TABLE_H

#include <stdint.h>

typedef struct heed__table_cell {
    char s[48];
} heed__table_cell;

/* "12.34", with so many digits behind the point. */
heed__table_cell heed__fixed(double value, int digits);

/* "1,234,567"; "-" for 0. */
heed__table_cell heed__grouped(int64_t value);

/* "512 B", "1.50 KiB", "23.4 MiB"; "-" for 0. */
heed__table_cell heed__bytes(int64_t value);

#endif
