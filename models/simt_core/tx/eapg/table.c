/* SPDX-License-Identifier: MIT */
/* The conflict address table: what commit units have said of words. Of one that does not fit nothing is known. */
#include "tx/eapg/eapg.h"

static uint32_t flag_of(const hd_packet *packet)
{
    return packet->tag ? EAPG_WRITTEN : EAPG_READ;
}

void eapg_enter(eapg *e, const hd_packet *packet)
{
    const uint32_t *addresses = hd_body_const(packet);
    for (uint32_t i = 0; i < packet->argument; i++) {
        const uint64_t flags = hd_word_map_get(&e->table, addresses[i]) | flag_of(packet);
        *eapg_counter(e, EAPG_TABLE_DROPS) += !hd_word_map_set(&e->table, addresses[i], flags);
    }
    uint64_t *maximum = eapg_counter(e, EAPG_TABLE_MAXIMUM);
    *maximum = e->table.count > *maximum ? e->table.count : *maximum;
}

void eapg_leave(eapg *e, const hd_packet *packet)
{
    const uint32_t *addresses = hd_body_const(packet);
    for (uint32_t i = 0; i < packet->argument; i++)
        hd_word_map_set(&e->table, addresses[i], hd_word_map_get(&e->table, addresses[i]) & ~(uint64_t)flag_of(packet));
}

uint32_t eapg_hits(const eapg *e, uint32_t address, uint32_t is_store)
{
    const uint64_t flags = hd_word_map_get(&e->table, address);
    if (!is_store)
        return (flags & EAPG_WRITTEN) != 0;
    return (e->store_hits == STORE_HITS_ANY ? flags : flags & EAPG_READ) != 0;
}
