/* SPDX-License-Identifier: MIT */
#include "cuckoo.h"

#include <stdlib.h>

uint32_t cuckoo_create(cuckoo *table, uint32_t sets, uint32_t ways, uint64_t *seed)
{
    table->sets = sets;
    table->ways = ways;
    table->slots = calloc((size_t)sets * ways, sizeof *table->slots);
    table->hashes = calloc(ways, sizeof *table->hashes);
    if (!table->slots || !table->hashes)
        return 0;
    for (uint32_t way = 0; way < ways; way++)
        hd_h3_draw(&table->hashes[way], seed);
    return 1;
}

void cuckoo_destroy(cuckoo *table)
{
    free(table->slots);
    free(table->hashes);
}

void cuckoo_reset(cuckoo *table)
{
    for (uint32_t i = 0; i < table->sets * table->ways; i++)
        table->slots[i].granule = NO_GRANULE;
    table->used = 0;
}

metadata_entry *cuckoo_slot(const cuckoo *table, uint64_t granule, uint32_t way)
{
    return &table->slots[way * table->sets + hd_h3_hash(&table->hashes[way], granule) % table->sets];
}

metadata_entry *cuckoo_find(const cuckoo *table, uint64_t granule)
{
    for (uint32_t way = 0; way < table->ways; way++) {
        metadata_entry *slot = cuckoo_slot(table, granule, way);
        if (slot->granule == granule)
            return slot;
    }
    return NULL;
}

metadata_entry *cuckoo_free_slot(const cuckoo *table, uint64_t granule)
{
    for (uint32_t way = 0; way < table->ways; way++) {
        metadata_entry *slot = cuckoo_slot(table, granule, way);
        if (slot->granule == NO_GRANULE)
            return slot;
    }
    return NULL;
}
