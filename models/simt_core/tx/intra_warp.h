/* SPDX-License-Identifier: MIT */
/*
 * Resolves conflicts between lanes of one warp that reach their commit together. In every scheme the survivors are
 * serialisable in ascending order of lanes, and the lowest lane survives. Source: Fung 2015 §6.3.
 */
#ifndef SIMT_CORE_TX_INTRA_WARP_H
#define SIMT_CORE_TX_INTRA_WARP_H

#include "log.h"

/* Values of the parameter tx.intra_warp. */
#define INTRA_WARP_CHOICES "2pcr|scr|perfect|eager|protocol"
enum { INTRA_WARP_2PCR, INTRA_WARP_SCR, INTRA_WARP_PERFECT, INTRA_WARP_EAGER, INTRA_WARP_PROTOCOL };
/* What a protocol is able to that finds conflicts within a warp as it finds others (hd_unit.abilities). */
#define INTRA_WARP_ABILITY "intra_warp"

#define OWNERSHIP_NULL 0xFFu

/*
 * Two phases, in parallel. table: scratch with one byte for each of `entries` (a power of two). entries 0: one entry per
 * word; table is not used. Returns the lanes that lose.
 */
uint64_t intra_warp_2pcr(const tx_log *reads, const tx_log *writes, uint64_t lanes, uint8_t *table, uint32_t entries);
/* Lane by lane, with a Bloom filter of 4 KiB bits; exact: with exact sets instead. Returns the lanes that lose. */
uint64_t intra_warp_scr(const tx_log *reads, const tx_log *writes, uint64_t lanes, uint32_t exact);
/* Slot of the word at this address in the ownership table. */
uint32_t intra_warp_slot(uint32_t address, uint32_t entries);
/* Cycles that a scheme takes: one per operation on a log or table. */
uint64_t intra_warp_cycles(uint32_t scheme, const tx_log *reads, const tx_log *writes, uint64_t lanes,
                           uint64_t survivors, uint32_t entries);

#endif
