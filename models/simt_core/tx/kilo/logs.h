/* SPDX-License-Identifier: MIT */
/*
 * Logs on their way to commit units, a packet for each entry and partition that it touches, and messages about lanes (hd_kilo.h). For
 * protocols that have units of this kind. Source: Fung 2015 §4.2.4.
 */
#ifndef SIMT_CORE_TX_KILO_LOGS_H
#define SIMT_CORE_TX_KILO_LOGS_H

#include "hd_kilo.h"
#include "tx/protocol.h"

/* How far a log has been sent: its entries in order, words of each by partition. */
typedef struct kilo_log_walk {
    uint32_t entry;
    uint64_t left;                 /* lanes of the entry whose word has not been sent */
    uint16_t partition[MAX_LANES]; /* of their words */
} kilo_log_walk;

/* A load that brought nothing but what the lane has written itself leaves nothing to compare. */
static inline uint32_t kilo_log_has_word(const tx_log *log, uint32_t entry, uint32_t lane)
{
    return log->mask[entry] >> lane & 1 && log->bytes[tx_log_at(log, entry, lane)];
}

static inline hd_kilo_word kilo_log_word(const tx_log *log, uint32_t entry, uint32_t lane)
{
    const size_t at = tx_log_at(log, entry, lane);
    return (hd_kilo_word){
        .address = log->address[at], .value = log->value[at], .lane = (uint8_t)lane, .byte_mask = log->bytes[at]};
}

/* Where the words of a packet go. */
static inline hd_kilo_word *kilo_log_words(hd_packet *packet)
{
    return (hd_kilo_word *)((hd_kilo_log *)hd_body(packet) + 1);
}

/* Goes to the next entry with words of these lanes, of which none is left in this one. 0: there is none; entry is the log's length. */
uint32_t kilo_log_find(kilo_log_walk *walk, const tx_log *log, uint64_t lanes, const hd_address_map *map);
void kilo_log_walk_transfer(kilo_log_walk *walk, const hd_state_stream *stream);
/* The packet for lanes with words where that of the lowest lane is; some are left. */
hd_packet *kilo_log_next(const transactions *t, uint32_t warp, kilo_log_walk *walk, const tx_log *log, uint32_t message,
                         const hd_kilo_group *group);
/* A packet that has room for so many words. */
hd_packet *kilo_log_packet(const transactions *t, uint32_t warp, uint32_t message, uint32_t partition,
                           const hd_kilo_group *group, uint32_t resent, uint32_t words);
/* A message to a unit. mask_bytes: that it has beside its header on the network. */
hd_packet *kilo_lanes_packet(const transactions *t, uint32_t warp, uint32_t message, uint32_t partition,
                             const hd_kilo_lanes *lanes, uint32_t mask_bytes);

#endif
