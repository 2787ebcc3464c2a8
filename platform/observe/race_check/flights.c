/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "state.h"

#define uthash_fatal(message) abort()
#include <uthash.h>

typedef struct race_flight {
    uint64_t key;
    uint32_t acquires;
    uint32_t address[64]; /* by lane */
    UT_hash_handle hh;
} flight;

static uint64_t key_of(const hd_access_record *record)
{
    return (uint64_t)record->endpoint << 32 | record->ticket;
}

static flight *find(const hd_race_checker *checker, const hd_access_record *record)
{
    const uint64_t key = key_of(record);
    flight *found;
    HASH_FIND(hh, checker->flights, &key, sizeof key, found);
    return found;
}

void flight_begin(hd_race_checker *checker, const hd_access_record *record)
{
    const uint32_t *address = hd_access_addresses(record);
    flight *own = find(checker, record);
    if (!own) {
        own = calloc(1, sizeof *own);
        if (!own)
            abort();
        own->key = key_of(record);
        HASH_ADD(hh, checker->flights, key, sizeof own->key, own);
    }
    own->acquires = record->flags & HD_ACCESS_ACQUIRE;
    for (uint64_t left = record->lanes; left; left &= left - 1)
        own->address[__builtin_ctzll(left)] = *address++;
}

uint32_t flight_of(const hd_race_checker *checker, const hd_access_record *record, uint32_t lane, uint32_t *acquires)
{
    const flight *own = find(checker, record);
    if (!own)
        return 0;
    *acquires = own->acquires;
    return own->address[lane];
}

void flights_free(hd_race_checker *checker)
{
    flight *own, *next;
    HASH_ITER(hh, checker->flights, own, next)
    {
        HASH_DEL(checker->flights, own);
        free(own);
    }
}
