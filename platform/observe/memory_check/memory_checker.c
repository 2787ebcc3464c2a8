/* SPDX-License-Identifier: MIT */
#include "memory_checker.h"

#include <stdio.h>
#include <stdlib.h>

#include "access_findings.h"
#include "hd_address.h"
#include "written_bytes.h"

enum mistake { NONE, OUTSIDE, BEYOND, FREED, OF_THE_RUNTIME, NOT_TO_BE_WRITTEN, NOT_WRITTEN };

struct hd_memory_checker {
    hd_access_places places;
    hd_allocations allocations;
    const hd_allocation *latest; /* in which the last access was */
    uint64_t known;              /* number of the newest allocation seen */
    hd_access_findings findings;
    hd_memory_checks counts;
    written_bytes written;
};

/* An access of one lane. */
typedef struct lane_access {
    const hd_access_record *record;
    const hd_access_block *block;
    uint32_t lane;
    uint32_t address;
    uint32_t reads, writes;
} lane_access;

hd_memory_checker *hd_memory_checker_create(const hd_access_places *places)
{
    hd_memory_checker *checker = calloc(1, sizeof *checker);
    if (!checker)
        abort();
    checker->places = *places;
    return checker;
}

void hd_memory_checker_destroy(hd_memory_checker *checker)
{
    if (!checker)
        return;
    hd_access_findings_free(&checker->findings);
    written_free(&checker->written);
    free(checker);
}

void hd_memory_checker_allocations(hd_memory_checker *checker, const hd_allocations *allocations)
{
    uint64_t newest = checker->known;
    checker->allocations = *allocations;
    checker->latest = NULL;
    for (uint32_t i = 0; i < allocations->live; i++) {
        const hd_allocation *at = &allocations->items[i];
        if (at->number <= checker->known)
            continue;
        newest = at->number > newest ? at->number : newest;
        if (at->owner == HD_ALLOCATION_PROGRAM)
            written_clear_range(&checker->written, at->address, at->bytes);
        else
            written_set_range(&checker->written, at->address, at->bytes);
    }
    checker->known = newest;
}

/* ---- What is wrong with it ----------------------------------------------------------------------------------------- */

static const hd_allocation *allocation_of(hd_memory_checker *checker, uint32_t address)
{
    if (checker->latest && address - checker->latest->address < checker->latest->bytes)
        return checker->latest;
    return checker->latest = hd_allocations_find(&checker->allocations, address);
}

static uint32_t bytes_of(const lane_access *access)
{
    return (1u << access->record->bytes) - 1;
}

static enum mistake judge(hd_memory_checker *checker, const lane_access *access)
{
    const hd_allocation *in = allocation_of(checker, access->address);
    if (!in)
        return hd_allocations_find_freed(&checker->allocations, access->address) ? FREED : OUTSIDE;
    if (access->record->bytes > in->bytes - (access->address - in->address))
        return BEYOND;
    if (in->owner == HD_ALLOCATION_RUNTIME)
        return OF_THE_RUNTIME;
    if (in->owner == HD_ALLOCATION_READ_ONLY && access->writes)
        return NOT_TO_BE_WRITTEN;
    return access->reads && !written_all(&checker->written, access->address, bytes_of(access)) ? NOT_WRITTEN : NONE;
}

/* ---- In words ------------------------------------------------------------------------------------------------------ */

static void describe_outside(const hd_memory_checker *checker, uint32_t address, char *text, size_t bytes)
{
    const hd_allocation *near = hd_allocations_nearest(&checker->allocations, address);
    if (!near) {
        snprintf(text, bytes, "there is no allocation");
        return;
    }
    const uint64_t end = near->address + near->bytes;
    const uint32_t is_before = address < near->address;
    char name[HD_ALLOCATION_NAME_BYTES];
    hd_allocation_name(near, name);
    snprintf(text, bytes, "in no allocation; %llu bytes %s %s",
             (unsigned long long)(is_before ? near->address - address : address - end),
             is_before ? "before" : "behind the end of", name);
}

static void describe(const hd_memory_checker *checker, const lane_access *access, enum mistake what, char *text,
                     size_t bytes)
{
    static const char *const texts[] = {[BEYOND] = "reaches beyond the end of its allocation",
                                        [FREED] = "its allocation has been freed",
                                        [OF_THE_RUNTIME] = "belongs to the host runtime",
                                        [NOT_TO_BE_WRITTEN] = "belongs to the kernel program, and is not to be written",
                                        [NOT_WRITTEN] = "has not been written since it was allocated"};
    if (what == OUTSIDE)
        describe_outside(checker, access->address, text, bytes);
    else
        snprintf(text, bytes, "%s", texts[what]);
}

static const hd_allocation *allocation_meant(hd_memory_checker *checker, uint32_t address, enum mistake what)
{
    if (what == FREED)
        return hd_allocations_find_freed(&checker->allocations, address);
    return what == OUTSIDE ? hd_allocations_nearest(&checker->allocations, address) : allocation_of(checker, address);
}

static void report(hd_memory_checker *checker, const lane_access *access, enum mistake what)
{
    const hd_access_record *record = access->record;
    const hd_access_finding_key key = {
        .module = access->block->launch.grid.module, .kind = what, .pc = {record->pc, record->kind}};
    checker->counts.errors++;
    if (!hd_access_findings_add(&checker->findings, &key))
        return;
    const char *name = record->kind == HD_ACCESS_LOAD    ? "load of"
                       : record->kind == HD_ACCESS_STORE ? "store to"
                                                         : "atomic on";
    const hd_allocation *allocation = allocation_meant(checker, access->address, what);
    char why[160], who[HD_ACCESS_WHO_BYTES], where[HD_ALLOCATION_TEXT_BYTES];
    describe(checker, access, what, why, sizeof why);
    hd_access_who(&checker->places, access->block, record->warp * record->warp_lanes + access->lane, record->pc, who);
    hd_access_findings_line(&checker->findings, "%u-byte %s 0x%08x: %s", record->bytes, name, access->address, why);
    hd_access_findings_line(&checker->findings, "%s", who);
    if (!allocation)
        return;
    hd_allocation_describe(allocation, where);
    hd_access_findings_line(&checker->findings, "%s", where);
}

/* ---- Records ------------------------------------------------------------------------------------------------------- */

static void take_lanes(hd_memory_checker *checker, const hd_access_record *record, const hd_access_block *block)
{
    const uint32_t *address = hd_access_addresses(record);
    hd_access_word word;
    lane_access access = {.record = record,
                          .block = block,
                          .reads = record->kind != HD_ACCESS_STORE,
                          .writes = record->kind != HD_ACCESS_LOAD && !(record->flags & HD_ACCESS_READS)};
    for (uint64_t left = record->lanes; left; left &= left - 1, address++) {
        if (*address < HD_GLOBAL_BASE ||
            hd_access_finds_word(&checker->places, record->endpoint, *address, record->kind == HD_ACCESS_STORE, &word))
            continue;
        access.lane = (uint32_t)__builtin_ctzll(left);
        access.address = *address;
        checker->counts.accesses++;
        const enum mistake what = judge(checker, &access);
        if (what != NONE)
            report(checker, &access, what);
        if (access.writes && (what == NONE || what == NOT_WRITTEN))
            written_set(&checker->written, *address, bytes_of(&access));
    }
}

static void take_written(hd_memory_checker *checker, const hd_access_record *record)
{
    const uint32_t *byte_mask = hd_access_data(record);
    if (record->block + record->bytes > UINT64_C(1) << 32)
        return; /* private memory */
    for (uint32_t i = 0; i < record->bytes; i++)
        if (byte_mask[i / 32] >> i % 32 & 1)
            written_set(&checker->written, (uint32_t)record->block + i, 1);
}

void hd_memory_checker_take(hd_memory_checker *checker, const hd_access_record *record, const hd_access_block *block)
{
    if (record->kind == HD_ACCESS_WRITTEN)
        take_written(checker, record);
    else if (record->kind <= HD_ACCESS_ATOMIC && block)
        take_lanes(checker, record, block);
}

uint32_t hd_memory_checker_print(hd_memory_checker *checker, const hd_text_sink *sink)
{
    return hd_access_findings_print(&checker->findings, sink);
}

hd_memory_checks hd_memory_checker_counts(const hd_memory_checker *checker)
{
    return checker->counts;
}
