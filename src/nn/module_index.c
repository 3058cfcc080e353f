/* nn/module_index.c - finds a module's members by name: by linear search if there are few, else in a hash table. */

#include <string.h>

#include <heed/memory.h>

#include "nn/module.h"

#define MAX_UNINDEXED 16

struct heed_module_index {
    size_t n_slots;              /* a power of two, at least the number of members */
    heed_module_member *slots[]; /* for every hash, the head of a list linked by `next_in_index` */
};

static size_t size_of(size_t n_slots)
{
    return sizeof(heed_module_index) + n_slots * sizeof(heed_module_member *);
}

/* Returns the slot for a name, by its FNV-1a hash. */
static heed_module_member **slot_of(heed_module_index *index, const char *name, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    return &index->slots[(hash ^ hash >> 32) & (index->n_slots - 1)];
}

static void insert(heed_module_index *index, heed_module_member *member)
{
    heed_module_member **slot = slot_of(index, member->name, strlen(member->name));
    member->next_in_index = *slot;
    *slot = member;
}

heed_module_member *heed__module_member(const heed_module *m, const char *name, size_t length)
{
    heed_module_member *it = m->index ? *slot_of(m->index, name, length) : m->first;
    while (it && !(strncmp(it->name, name, length) == 0 && it->name[length] == '\0'))
        it = m->index ? it->next_in_index : it->next;
    return it;
}

bool heed__module_reserve(heed_module *m)
{
    size_t capacity = m->index ? m->index->n_slots : MAX_UNINDEXED;
    if (m->n_members < capacity)
        return true;
    heed_module_index *index = heed_calloc(1, size_of(2 * capacity));
    if (!index)
        return false;
    index->n_slots = 2 * capacity;
    for (heed_module_member *it = m->first; it; it = it->next)
        insert(index, it);
    heed__module_index_free(m);
    m->index = index;
    return true;
}

void heed__module_append(heed_module_member *member)
{
    heed_module *m = member->owner;
    *(m->last ? &m->last->next : &m->first) = member;
    m->last = member;
    m->n_members++;
    m->n_children += member->child != NULL;
    if (m->index)
        insert(m->index, member);
}

void heed__module_index_free(heed_module *m)
{
    if (m->index)
        heed_free(m->index, size_of(m->index->n_slots));
    m->index = NULL;
}
