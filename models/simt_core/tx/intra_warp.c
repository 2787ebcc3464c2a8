/* SPDX-License-Identifier: MIT */
#include "intra_warp.h"

#include <string.h>

#define TABLE_ROW_BYTES 128u /* of the ownership table that one write clears */
#define FILTER_BITS 4096u
#define FILTER_HASHES 4u

static uint32_t lowest(uint64_t lanes)
{
    return (uint32_t)__builtin_ctzll(lanes);
}

uint32_t intra_warp_slot(uint32_t address, uint32_t entries)
{
    const uint32_t word = address >> 2;
    return (word + 17 * (word / entries)) & (entries - 1);
}

/* Lowest of the lanes that writes to the word, OWNERSHIP_NULL if none. */
static uint32_t writer_of(const tx_log *writes, uint64_t lanes, uint32_t address)
{
    uint32_t owner = OWNERSHIP_NULL;
    for (uint32_t entry = 0; entry < writes->length; entry++)
        for (uint64_t left = writes->mask[entry] & lanes; left; left &= left - 1)
            if (writes->address[tx_log_at(writes, entry, lowest(left))] == address && lowest(left) < owner)
                owner = lowest(left);
    return owner;
}

typedef struct owners {
    const tx_log *writes;
    uint64_t lanes;
    const uint8_t *table;
    uint32_t entries;
} owners;

static uint32_t owner_of(const owners *o, uint32_t address)
{
    return o->entries ? o->table[intra_warp_slot(address, o->entries)] : writer_of(o->writes, o->lanes, address);
}

static void claim_words(const tx_log *writes, uint64_t lanes, uint8_t *table, uint32_t entries)
{
    memset(table, OWNERSHIP_NULL, entries);
    for (uint32_t entry = 0; entry < writes->length; entry++)
        for (uint64_t left = writes->mask[entry] & lanes; left; left &= left - 1) {
            uint8_t *slot = &table[intra_warp_slot(writes->address[tx_log_at(writes, entry, lowest(left))], entries)];
            *slot = lowest(left) < *slot ? (uint8_t)lowest(left) : *slot;
        }
}

/* Lanes of the log with a word that a lower lane owns. */
static uint64_t match(const tx_log *log, const owners *o)
{
    uint64_t losers = 0;
    for (uint32_t entry = 0; entry < log->length; entry++)
        for (uint64_t left = log->mask[entry] & o->lanes; left; left &= left - 1)
            if (owner_of(o, log->address[tx_log_at(log, entry, lowest(left))]) < lowest(left))
                losers |= left & -left;
    return losers;
}

uint64_t intra_warp_2pcr(const tx_log *reads, const tx_log *writes, uint64_t lanes, uint8_t *table, uint32_t entries)
{
    const owners o = {.writes = writes, .lanes = lanes, .table = table, .entries = entries};
    if (entries)
        claim_words(writes, lanes, table, entries);
    return match(reads, &o) | match(writes, &o);
}

typedef struct written {
    const tx_log *writes;
    uint64_t survivors;
    uint64_t filter[FILTER_BITS / 64];
    uint32_t exact;
} written;

/* Bit of the filter's sub-array `hash` for the word. */
static uint32_t filter_bit(uint32_t address, uint32_t hash)
{
    static const uint32_t factors[FILTER_HASHES] = {0x9E3779B1u, 0x85EBCA77u, 0xC2B2AE3Du, 0x27D4EB2Fu};
    return hash * (FILTER_BITS / FILTER_HASHES) + ((address >> 2) * factors[hash] >> 22);
}

static uint32_t is_written(const written *w, uint32_t address)
{
    if (w->exact)
        return writer_of(w->writes, w->survivors, address) != OWNERSHIP_NULL;
    uint32_t all = 1;
    for (uint32_t hash = 0; hash < FILTER_HASHES; hash++)
        all &= (uint32_t)(w->filter[filter_bit(address, hash) / 64] >> filter_bit(address, hash) % 64 & 1);
    return all;
}

static uint32_t hits(const written *w, const tx_log *log, uint32_t lane)
{
    for (uint32_t entry = 0; entry < log->length; entry++)
        if (log->mask[entry] >> lane & 1 && is_written(w, log->address[tx_log_at(log, entry, lane)]))
            return 1;
    return 0;
}

static void add_lane(written *w, uint32_t lane)
{
    w->survivors |= UINT64_C(1) << lane;
    for (uint32_t entry = 0; entry < w->writes->length; entry++)
        for (uint32_t hash = 0; w->writes->mask[entry] >> lane & 1 && hash < FILTER_HASHES; hash++) {
            const uint32_t bit = filter_bit(w->writes->address[tx_log_at(w->writes, entry, lane)], hash);
            w->filter[bit / 64] |= UINT64_C(1) << bit % 64;
        }
}

uint64_t intra_warp_scr(const tx_log *reads, const tx_log *writes, uint64_t lanes, uint32_t exact)
{
    written w = {.writes = writes, .exact = exact};
    for (uint64_t left = lanes; left; left &= left - 1)
        if (!hits(&w, reads, lowest(left)) && !hits(&w, writes, lowest(left)))
            add_lane(&w, lowest(left));
    return lanes & ~w.survivors;
}

uint64_t intra_warp_cycles(uint32_t scheme, const tx_log *reads, const tx_log *writes, uint64_t lanes,
                           uint64_t survivors, uint32_t entries)
{
    uint64_t cycles = 0;
    if (scheme == INTRA_WARP_2PCR)
        return 2ull * writes->length + reads->length + (entries + TABLE_ROW_BYTES - 1) / TABLE_ROW_BYTES;
    for (uint64_t left = lanes; scheme == INTRA_WARP_SCR && left; left &= left - 1) {
        const uint32_t words = tx_log_words(writes, lowest(left));
        cycles += tx_log_words(reads, lowest(left)) + words + (left & -left & survivors ? words : 0);
    }
    return cycles;
}
