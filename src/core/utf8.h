/* core/utf8.h - whether a text is UTF-8. */
#ifndef HEED_CORE_UTF8_H
#define HEED_CORE_UTF8_H

#include <stddef.h>

/* Bytes up to the text's end, or up to what is no UTF-8. */
size_t heed__utf8_size(const char *text);

#endif
