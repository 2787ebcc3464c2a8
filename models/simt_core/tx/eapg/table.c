/* SPDX-License-Identifier: MIT */
/* The conflict address table: what commit units have said of words. Of one that does not fit nothing is known. Or their signatures, with
 * which words have in common that they may be among them. */
#include "tx/eapg/eapg.h"

static uint32_t flag_of(const hd_packet *packet)
{
    return packet->tag ? EAPG_WRITTEN : EAPG_READ;
}

static void enter(eapg *e, const uint32_t *addresses, uint32_t count, uint32_t flag)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t flags = hd_word_map_get(&e->table, addresses[i]) | flag;
        *eapg_counter(e, EAPG_TABLE_DROPS) += !hd_word_map_set(&e->table, addresses[i], flags);
    }
    hd_raise_maximum(eapg_counter(e, EAPG_TABLE_MAXIMUM), e->table.count);
}

/* What came before is taken in now. */
static void enter_late(eapg *e, const hd_packet *packet)
{
    eapg_late *late = e->late;
    enter(e, late->addresses, late->count, late->flag);
    late->count = packet->argument;
    late->flag = flag_of(packet);
    memcpy(late->addresses, hd_body_const(packet), late->count * sizeof *late->addresses);
}

void eapg_enter(eapg *e, const hd_packet *packet)
{
    if (e->late)
        enter_late(e, packet);
    else
        enter(e, hd_body_const(packet), packet->argument, flag_of(packet));
    eapg_recheck_ready(e);
}

void eapg_leave(eapg *e, const hd_packet *packet)
{
    const uint32_t *addresses = hd_body_const(packet);
    for (uint32_t i = 0; i < packet->argument; i++)
        hd_word_map_set(&e->table, addresses[i], hd_word_map_get(&e->table, addresses[i]) & ~(uint64_t)flag_of(packet));
    eapg_recheck_waiting(e);
}

void eapg_take_signature(eapg *e, const hd_packet *packet)
{
    memcpy(&e->signatures[packet->argument][packet->tag], hd_body_const(packet), sizeof **e->signatures);
    eapg_recheck_ready(e);
    eapg_recheck_waiting(e);
}

static uint64_t flags_by_signature(const eapg *e, uint32_t address)
{
    const uint64_t *of = e->signatures[hd_partition_of(memory_map(e->kilo.t->core.memory), address)];
    const uint32_t bit = hd_kilo_signature_bit(address);
    return (of[0] >> bit & 1 ? EAPG_READ : 0) | (of[1] >> bit & 1 ? EAPG_WRITTEN : 0);
}

uint32_t eapg_knows_nothing(const eapg *e)
{
    return !e->signatures && !e->table.count;
}

uint32_t eapg_hits(const eapg *e, uint32_t address, uint32_t is_store)
{
    const uint64_t flags = e->signatures ? flags_by_signature(e, address) : hd_word_map_get(&e->table, address);
    if (!is_store)
        return (flags & EAPG_WRITTEN) != 0;
    return (e->store_hits == STORE_HITS_ANY ? flags : flags & EAPG_READ) != 0;
}
