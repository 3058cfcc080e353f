/* core/scope.h - marks: scopes without an object, for loops inside the library. */
#ifndef HEED_CORE_SCOPE_H
#define HEED_CORE_SCOPE_H

#include <heed/scope.h>

/* heed__scope_mark returns the number of tensors in this thread's scopes; heed__scope_rewind releases all tensors after
 * such a mark. */
size_t heed__scope_mark(void);
void heed__scope_rewind(size_t mark);

/* heed__scope_of returns the scope that holds this thread's borrowed tensor i; NULL for the root scope.
 * heed__scope_site returns the line that began a scope; NULL if unknown. */
const heed_scope *heed__scope_of(size_t i);
const char *heed__scope_site(const heed_scope *scope);

#endif
