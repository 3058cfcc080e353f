/* system/locale.h - the C locale for one thread, for a while. */
#ifndef HEED_SYSTEM_LOCALE_H
#define HEED_SYSTEM_LOCALE_H

#include <locale.h>
#include <stdbool.h>

typedef struct heed__c_locale {
#if defined(_WIN32)
    int per_thread;   /* what _configthreadlocale had been told */
    char before[128]; /* the thread's locale of numbers */
#else
    locale_t c, before;
#endif
} heed__c_locale;

/* Numbers are read and written with C's point by the calling thread, and by no other, until heed__c_locale_end. False
 * where there is no memory for it. */
bool heed__c_locale_begin(heed__c_locale *locale);
void heed__c_locale_end(heed__c_locale *locale);

#endif
