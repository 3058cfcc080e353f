/* system/posix/locale.c - uselocale, which touches the calling thread alone. (strtod_l would need no such change, but
 * is not in POSIX; setlocale would change it for every thread.) */

#include "system/posix/more.h"

#include "system/locale.h"

bool heed__c_locale_begin(heed__c_locale *locale)
{
    locale->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale->c == (locale_t)0)
        return false;
    locale->before = uselocale(locale->c);
    return true;
}

void heed__c_locale_end(heed__c_locale *locale)
{
    (void)uselocale(locale->before);
    freelocale(locale->c);
}
