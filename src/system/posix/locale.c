/* system/posix/locale.c - locales by uselocale, which affects only the calling thread. (strtod_l would not need a
 * change of locale, but is not in POSIX; setlocale would affect every thread.) */

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
