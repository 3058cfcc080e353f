/* core/scope.h - marks: what scopes are, without an object. For loops inside the library. */
#ifndef HEED_CORE_SCOPE_H
#define HEED_CORE_SCOPE_H

#include <heed/scope.h>

/* How many tensors this thread's scopes hold; and back to such a mark, releasing what came after. */
size_t heed__scope_mark(void);
void heed__scope_rewind(size_t mark);

/* The scope that holds this thread's borrowed tensor number i, NULL for the root scope; and where one was begun, NULL
 * when that is unknown. */
const heed_scope *heed__scope_of(size_t i);
const char *heed__scope_site(const heed_scope *scope);

#endif
