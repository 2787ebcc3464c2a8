/* SPDX-License-Identifier: MIT */
#include "access_transactions.h"

#include <stdlib.h>
#include <string.h>

#define uthash_fatal(message) abort()
#include <uthash.h>

typedef struct kept {
    struct kept *next;
    uint64_t left;           /* lanes that may still commit */
    hd_access_record record; /* its data follow */
} kept;

typedef struct warp_key {
    uint64_t block;
    uint64_t warp;
} warp_key;

typedef struct hd_access_attempt {
    warp_key key;
    kept *first;
    kept **last;
    UT_hash_handle hh;
} attempt;

static attempt *find(const hd_access_transactions *transactions, const hd_access_record *record)
{
    const warp_key key = {.block = record->block, .warp = record->warp};
    attempt *found;
    HASH_FIND(hh, transactions->attempts, &key, sizeof key, found);
    return found;
}

static void keep(hd_access_transactions *transactions, const hd_access_record *record)
{
    attempt *own = find(transactions, record);
    kept *added = malloc(sizeof *added + record->data_bytes);
    if (!own && (own = calloc(1, sizeof *own)) != NULL) {
        own->key = (warp_key){.block = record->block, .warp = record->warp};
        own->last = &own->first;
        HASH_ADD(hh, transactions->attempts, key, sizeof own->key, own);
    }
    if (!own || !added)
        abort();
    added->next = NULL;
    added->left = record->lanes;
    memcpy(&added->record, record, sizeof *record + record->data_bytes);
    *own->last = added;
    own->last = &added->next;
}

static void copy_of_lanes(uint32_t *to, const uint32_t *from, uint64_t all, uint64_t lanes)
{
    for (; all; all &= all - 1, from++)
        if (lanes & all & -all)
            *to++ = *from;
}

/* The part of it that these lanes have done. */
static void pass_on(const kept *access, uint64_t lanes, hd_time t, void *context,
                    void (*take)(void *context, const hd_access_record *record))
{
    struct {
        hd_access_record record;
        uint32_t data[128];
    } part = {.record = access->record};
    const uint32_t has_values = part.record.kind == HD_ACCESS_STORE;
    const uint32_t *addresses = hd_access_addresses(&access->record);
    const uint32_t count = (uint32_t)__builtin_popcountll(lanes);
    copy_of_lanes(part.data, addresses, access->record.lanes, lanes);
    if (has_values)
        copy_of_lanes(part.data + count, hd_access_values(&access->record), access->record.lanes, lanes);
    part.record.t = t;
    part.record.lanes = lanes;
    part.record.data_bytes = (1 + has_values) * 4 * count;
    take(context, &part.record);
}

/* The lanes are done with the attempt. */
static void drop(attempt *own, uint64_t lanes)
{
    kept **at = &own->first;
    while (*at) {
        kept *access = *at;
        access->left &= ~lanes;
        if (access->left) {
            at = &access->next;
            continue;
        }
        *at = access->next;
        free(access);
    }
    own->last = at;
}

static void end_attempt(hd_access_transactions *transactions, const hd_access_record *record, void *context,
                        void (*take)(void *context, const hd_access_record *record))
{
    attempt *own = find(transactions, record);
    if (!own)
        return;
    for (const kept *access = own->first; access && record->kind == HD_ACCESS_COMMIT; access = access->next)
        if (access->left & record->lanes)
            pass_on(access, access->left & record->lanes, record->t, context, take);
    drop(own, record->lanes);
    if (own->first)
        return;
    HASH_DEL(transactions->attempts, own);
    free(own);
}

void hd_access_transactions_take(hd_access_transactions *transactions, const hd_access_record *record, void *context,
                                 void (*take)(void *context, const hd_access_record *record))
{
    if (record->flags & HD_ACCESS_TRANSACTIONAL) {
        keep(transactions, record);
        return;
    }
    if (record->kind == HD_ACCESS_COMMIT || record->kind == HD_ACCESS_ABORT)
        end_attempt(transactions, record, context, take);
    take(context, record);
}

void hd_access_transactions_forget(hd_access_transactions *transactions)
{
    attempt *own, *next;
    HASH_ITER(hh, transactions->attempts, own, next)
    {
        HASH_DEL(transactions->attempts, own);
        drop(own, UINT64_MAX);
        free(own);
    }
}
