/* inspect/table.c - formats numbers for tables. */

#include "inspect/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"

heed__table_cell heed__fixed(double value, int digits)
{
    heed__table_cell cell;
    (void)snprintf(cell.s, sizeof cell.s, "%.*f", digits, value);
    heed__decimal_point(cell.s);
    return cell;
}

heed__table_cell heed__grouped(int64_t value)
{
    heed__table_cell plain, cell = {"-"};
    if (value == 0)
        return cell;
    const int length = snprintf(plain.s, sizeof plain.s, "%" PRId64, value);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        cell.s[used++] = plain.s[i];
        const int left = length - 1 - i;
        if (left > 0 && left % 3 == 0 && plain.s[i] != '-')
            cell.s[used++] = ',';
    }
    cell.s[used] = '\0';
    return cell;
}

heed__table_cell heed__bytes(int64_t value)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    heed__table_cell cell = {"-"};
    if (value == 0)
        return cell;
    if (value < 1024) {
        (void)snprintf(cell.s, sizeof cell.s, "%" PRId64 " B", value);
        return cell;
    }
    double size = (double)value / 1024;
    int unit = 0;
    for (; size >= 1000 && unit < 3; unit++)
        size /= 1024;
    cell = heed__fixed(size, size < 10 ? 2 : size < 100 ? 1 : 0);
    const size_t length = strlen(cell.s);
    (void)snprintf(cell.s + length, sizeof cell.s - length, " %s", units[unit]);
    return cell;
}
