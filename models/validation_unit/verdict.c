/* SPDX-License-Identifier: MIT */
#include "verdict.h"

static uint32_t is_owner(const verdict_rules *rules, const metadata_entry *entry, const verdict_request *request)
{
    return entry->reserved && entry->owner_warp == request->warp &&
           (rules->owned_by_warp || entry->owner_epoch == request->epoch);
}

static verdict refused_by_writer(uint32_t reason, const metadata_entry *entry)
{
    return (verdict){.what = VERDICT_REFUSED,
                     .reason = reason,
                     .cause = entry->written,
                     .winner = entry->writer,
                     .winner_pc = entry->writer_pc};
}

static verdict refused_by_reader(const metadata_entry *entry)
{
    return (verdict){.what = VERDICT_REFUSED,
                     .reason = HD_GETM_STORE_READ,
                     .cause = entry->read,
                     .winner = entry->reader,
                     .winner_pc = entry->reader_pc};
}

/* The later of the two times is what a store has to exceed. */
static verdict refused_store(const metadata_entry *entry)
{
    return entry->written >= entry->read ? refused_by_writer(HD_GETM_STORE_WRITTEN, entry) : refused_by_reader(entry);
}

static uint32_t is_tied(const verdict_rules *rules, const metadata_entry *entry, const verdict_request *request)
{
    return rules->last_reader && entry->read == request->timestamp && entry->reader != HD_GETM_NOBODY &&
           entry->reader != request->warp;
}

verdict verdict_of(const verdict_rules *rules, const metadata_entry *entry, const verdict_request *request)
{
    const uint64_t t = request->timestamp;
    if (is_owner(rules, entry, request))
        return (verdict){.what = VERDICT_APPROVED, .winner = HD_GETM_NOBODY, .is_owner = 1};
    if (!request->is_store && entry->written > t)
        return refused_by_writer(HD_GETM_LOAD_WRITTEN, entry);
    if (request->is_store && (entry->written > t || entry->read > t))
        return refused_store(entry);
    if (request->is_store && is_tied(rules, entry, request))
        return refused_by_reader(entry);
    if (entry->reserved)
        return (verdict){.what = VERDICT_WAIT, .winner = entry->owner_warp, .winner_pc = entry->writer_pc};
    return (verdict){.what = VERDICT_APPROVED, .winner = HD_GETM_NOBODY};
}

void verdict_apply(const verdict_rules *rules, metadata_entry *entry, const verdict_request *request)
{
    if (!request->is_store) {
        if (request->timestamp >= entry->read) {
            entry->read = request->timestamp;
            entry->reader = request->warp;
            entry->reader_pc = request->pc;
        }
    } else if (is_owner(rules, entry, request)) {
        entry->reserved += request->count;
    } else {
        entry->reserved = request->count;
        entry->owner_warp = entry->writer = request->warp;
        entry->owner_epoch = request->epoch;
        entry->writer_pc = request->pc;
        entry->written = request->timestamp + !rules->written_at;
    }
}
