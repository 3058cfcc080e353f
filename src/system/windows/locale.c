/* system/windows/locale.c - locales by setlocale, which affects only the calling thread after _configthreadlocale. */

#include "system/locale.h"

#include <string.h>

bool heed__c_locale_begin(heed__c_locale *locale)
{
    locale->per_thread = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    const char *before = setlocale(LC_NUMERIC, NULL);
    if (!before || strlen(before) >= sizeof locale->before)
        return false;
    strcpy(locale->before, before);
    return setlocale(LC_NUMERIC, "C") != NULL;
}

void heed__c_locale_end(heed__c_locale *locale)
{
    (void)setlocale(LC_NUMERIC, locale->before);
    (void)_configthreadlocale(locale->per_thread);
}
