/* system/locale.h - sets the C locale temporarily, for one thread. */
#ifndef HEED_SYSTEM_LOCALE_H
#define HEED_SYSTEM_LOCALE_H

#include <locale.h>
#include <stdbool.h>

typedef struct heed__c_locale {
#if defined(_WIN32)
    int per_thread;   /* the previous setting of _configthreadlocale */
    char before[128]; /* the thread's previous LC_NUMERIC locale */
#else
    locale_t c, before;
#endif
} heed__c_locale;

/* Until heed__c_locale_end, the calling thread, and only this thread, reads and writes numbers with '.' as the decimal
 * point. Returns false if memory runs out. */
bool heed__c_locale_begin(heed__c_locale *locale);
void heed__c_locale_end(heed__c_locale *locale);

#endif
