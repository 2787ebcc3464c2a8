/* SPDX-License-Identifier: MIT */
/*
 * What leaves for the commit units, a packet a cycle: of warps in turn, logs, then the end of the logs to every unit, then outcomes.
 * Words that a unit has asked for again go before.
 */
#include "tx/kilo/kilo.h"

#include <stdlib.h>
#include <string.h>

#define RESENT_WORDS 15u /* in a packet of 128 bytes */

static uint32_t has_something(const kilo *k)
{
    return k->sending.count || k->resend_ring.count;
}

void kilo_send(kilo *k, uint32_t warp)
{
    const uint32_t had = has_something(k);
    if (k->warps[warp].is_listed)
        return;
    k->warps[warp].is_listed = 1;
    tx_queue_push(&k->sending, warp);
    if (!had)
        memory_offer_packets(k->t->core.memory, 1);
}

/* ---- Logs ------------------------------------------------------------------------------------------------------------ */

static const tx_log *log_of(const kilo *k, uint32_t warp, uint32_t is_write_set)
{
    const tx_warp *w = tx_warp_of(k->t, warp);
    return is_write_set ? &w->writes : &w->reads;
}

static uint32_t message_of(const kilo *k, uint32_t is_write_set)
{
    return is_write_set ? k->message_write_set : k->message_read_set;
}

/* Who has words where, as far as the walk has come. */
static void note_places(kilo_warp *kw)
{
    const kilo_walk *walk = &kw->walk;
    for (uint64_t left = walk->log.left; left; left &= left - 1) {
        kilo_place *place = &kw->places[walk->log.partition[__builtin_ctzll(left)]];
        place->touched |= left & -left;
        place->written |= walk->is_write_set ? left & -left : 0;
    }
}

/* Goes to the next entry with words of the group. 0: there is none. */
static uint32_t find_entry(kilo *k, uint32_t warp)
{
    kilo_warp *kw = &k->warps[warp];
    kilo_walk *walk = &kw->walk;
    for (; walk->is_write_set < 2; walk->is_write_set++, walk->log.entry = 0) {
        const uint64_t lanes = kw->group.lanes & ~(walk->is_write_set ? kw->suspects : 0);
        if (kilo_log_find(&walk->log, log_of(k, warp, walk->is_write_set), lanes, memory_map(k->t->core.memory))) {
            note_places(kw);
            return 1;
        }
    }
    return 0;
}

static hd_packet *next_log(kilo *k, uint32_t warp)
{
    kilo_walk *walk = &k->warps[warp].walk;
    return kilo_log_next(k->t, warp, &walk->log, log_of(k, warp, walk->is_write_set), message_of(k, walk->is_write_set),
                         &k->warps[warp].group);
}

/* ---- Messages about lanes ---------------------------------------------------------------------------------------------- */

static hd_packet *lanes_packet(const kilo *k, uint32_t warp, uint32_t message, uint32_t partition, uint64_t lanes,
                               uint64_t marked, uint32_t mask_bytes)
{
    return kilo_lanes_packet(k->t, warp, message, partition, &(hd_kilo_lanes){k->warps[warp].group, lanes, marked},
                             mask_bytes);
}

static hd_packet *next_end(kilo *k, uint32_t warp)
{
    kilo_warp *kw = &k->warps[warp];
    const uint32_t partition = kw->closing++;
    return lanes_packet(k, warp, k->message_done_skip, partition, kw->group.lanes, kw->places[partition].touched,
                        HD_KILO_MASK_WIRE_BYTES);
}

/* k->partitions: no unit has to be told anything. */
static uint32_t next_to_tell(const kilo *k, uint32_t warp)
{
    uint32_t partition = 0;
    while (partition < k->partitions && !k->warps[warp].places[partition].to_tell)
        partition++;
    return partition;
}

static hd_packet *next_outcome(kilo *k, uint32_t warp)
{
    const uint32_t partition = next_to_tell(k, warp);
    kilo_place *place = &k->warps[warp].places[partition];
    const uint64_t lanes = k->aggregates ? place->to_tell : place->to_tell & -place->to_tell;
    place->to_tell &= ~lanes;
    return lanes_packet(k, warp, k->message_outcome, partition, lanes, lanes & ~k->warps[warp].failed,
                        k->aggregates ? HD_KILO_MASK_WIRE_BYTES : 0);
}

/* ---- Words that a unit has not kept ------------------------------------------------------------------------------------- */

void kilo_double_resends(kilo *k)
{
    const hd_ring larger = {.capacity = k->resend_ring.capacity ? 2 * k->resend_ring.capacity : 16,
                            .count = k->resend_ring.count};
    kilo_resend *grown = malloc(larger.capacity * sizeof *grown);
    if (!grown)
        abort();
    for (uint32_t i = 0; i < k->resend_ring.count; i++)
        grown[i] = k->resends[hd_ring_place(&k->resend_ring, i)];
    free(k->resends);
    k->resends = grown;
    k->resend_ring = larger;
}

void kilo_send_again(kilo *k, uint32_t warp, uint32_t partition, const hd_kilo_resend *asked)
{
    if (!has_something(k))
        memory_offer_packets(k->t->core.memory, 1);
    if (k->resend_ring.count == k->resend_ring.capacity)
        kilo_double_resends(k);
    k->resends[hd_ring_push(&k->resend_ring)] =
        (kilo_resend){.asked = *asked, .warp = warp, .partition = partition, .skip = asked->from};
}

/* The next words, a packet full at most. */
static uint32_t gather(const kilo *k, kilo_resend *resend, hd_kilo_word *words)
{
    const tx_log *log = log_of(k, resend->warp, resend->asked.is_write_set);
    const hd_address_map *map = memory_map(k->t->core.memory);
    const uint32_t lane = resend->asked.lane;
    uint32_t count = 0;
    for (; resend->entry < log->length && count < RESENT_WORDS; resend->entry++) {
        if (!kilo_log_has_word(log, resend->entry, lane) ||
            hd_partition_of(map, log->address[tx_log_at(log, resend->entry, lane)]) != resend->partition)
            continue;
        if (resend->skip)
            resend->skip--;
        else
            words[count++] = kilo_log_word(log, resend->entry, lane);
    }
    return count;
}

static hd_packet *next_resent(kilo *k)
{
    kilo_resend *resend = &k->resends[k->resend_ring.first];
    hd_kilo_word words[RESENT_WORDS];
    const uint32_t count = gather(k, resend, words);
    if (!count) {
        hd_ring_pop(&k->resend_ring);
        return lanes_packet(k, resend->warp, k->message_resent, resend->partition, UINT64_C(1) << resend->asked.lane, 0,
                            0);
    }
    hd_packet *packet = kilo_log_packet(k->t, resend->warp, message_of(k, resend->asked.is_write_set),
                                        resend->partition, &k->warps[resend->warp].group, 1, count);
    memcpy(kilo_log_words(packet), words, count * sizeof *words);
    *kilo_counter(k, KILO_RESENT_WORDS) += count;
    return packet;
}

/* ---- Taking turns ------------------------------------------------------------------------------------------------------ */

void kilo_send_logs(kilo *k, uint32_t warp)
{
    kilo_warp *kw = &k->warps[warp];
    kw->walk.is_write_set = kw->walk.log.entry = kw->closing = 0;
    kw->walk.log.left = 0;
    memset(kw->places, 0, k->partitions * sizeof *kw->places);
    kilo_send(k, warp);
}

/* Units may answer from here on. */
static void expect_verdicts(kilo *k, uint32_t warp)
{
    for (uint32_t p = 0; p < k->partitions; p++)
        k->warps[warp].places[p].awaited = k->warps[warp].places[p].touched;
}

static hd_packet *next_of(kilo *k, uint32_t warp)
{
    kilo_warp *kw = &k->warps[warp];
    if (kw->phase != KILO_LOGS || kw->closing == k->partitions)
        return next_outcome(k, warp);
    if (kw->walk.log.left || find_entry(k, warp))
        return next_log(k, warp);
    if (!kw->closing)
        expect_verdicts(k, warp);
    return next_end(k, warp);
}

static uint32_t has_more(const kilo *k, uint32_t warp)
{
    const kilo_warp *kw = &k->warps[warp];
    return (kw->phase == KILO_LOGS && kw->closing < k->partitions) || next_to_tell(k, warp) < k->partitions;
}

static hd_packet *next_of_warps(kilo *k)
{
    const uint32_t warp = tx_queue_pop(&k->sending);
    hd_packet *packet = next_of(k, warp);
    k->warps[warp].is_listed = has_more(k, warp);
    if (k->warps[warp].is_listed)
        tx_queue_push(&k->sending, warp);
    else
        kilo_sent(k, warp);
    return packet;
}

hd_packet *kilo_next_packet(kilo *k)
{
    if (!has_something(k))
        return NULL;
    hd_packet *packet = k->resend_ring.count ? next_resent(k) : next_of_warps(k);
    if (has_something(k))
        memory_offer_packets(k->t->core.memory, 1);
    return packet;
}
