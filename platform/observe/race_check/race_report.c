/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "state.h"

static const char *const kind_names[MARK_KINDS] = {
    [MARK_LOAD] = "load",
    [MARK_STORE] = "store",
    [MARK_ATOMIC_READ] = "atomic",
    [MARK_ATOMIC] = "atomic",
    [MARK_RELEASE] = "store",
    [MARK_TRANSACTIONAL_LOAD] = "transactional load",
    [MARK_TRANSACTIONAL_STORE] = "transactional store",
};

static void describe_place(const hd_race_checker *checker, uint32_t address, char *text, size_t bytes)
{
    const hd_allocation *in = hd_allocations_find(&checker->allocations, address);
    char name[HD_ALLOCATION_NAME_BYTES] = "";
    if (in)
        hd_allocation_name(in, name);
    if (is_scratchpad(address))
        snprintf(text, bytes, "the scratchpad at byte 0x%x", address - HD_SCRATCHPAD_BASE);
    else if (in)
        snprintf(text, bytes, "0x%08x, byte %llu of %s", address, (unsigned long long)(address - in->address), name);
    else
        snprintf(text, bytes, "0x%08x", address);
}

static uint32_t is_transactional(uint32_t kind)
{
    return kind == MARK_TRANSACTIONAL_LOAD || kind == MARK_TRANSACTIONAL_STORE;
}

static const char *what_is_missing(const hd_access_block *block, const mark *earlier, const mark *later)
{
    const uint64_t other = earlier->thread - block->first_thread, own = later->thread - block->first_thread;
    if (is_transactional(earlier->kind) || is_transactional(later->kind))
        return "one is outside of transactions, which are not isolated from it";
    if (other >= block->threads)
        return "in different blocks: no release and acquire orders them";
    if (other / block->warp_lanes == own / block->warp_lanes)
        return "in one warp: neither warp.sync, a barrier, nor a release and acquire orders them";
    return "in one block: neither a barrier nor a release and acquire orders them";
}

static void add_access(hd_race_checker *checker, const mark *at)
{
    const hd_access_block *block = hd_access_blocks_of(checker->blocks, at->thread);
    char who[HD_ACCESS_WHO_BYTES];
    hd_access_who(&checker->places, block, (uint32_t)(at->thread - block->first_thread), at->pc, who);
    hd_access_findings_line(&checker->findings, "%s: %s", kind_names[at->kind], who);
}

void race_report(hd_race_checker *checker, const block_state *state, uint32_t address, const mark *earlier,
                 const mark *later)
{
    const hd_access_block *block = block_of(checker, state);
    const uint32_t is_in_order = earlier->pc != later->pc ? earlier->pc < later->pc : earlier->kind <= later->kind;
    const mark *low = is_in_order ? earlier : later, *high = low == earlier ? later : earlier;
    const hd_access_finding_key key = {.module = block->launch.grid.module,
                                       .kind = (uint32_t)(low->kind << 8 | high->kind),
                                       .pc = {low->pc, high->pc}};
    checker->counts.races++;
    if (!hd_access_findings_add(&checker->findings, &key))
        return;
    const hd_allocation *in = hd_allocations_find(&checker->allocations, address);
    char where[128], allocation[HD_ALLOCATION_TEXT_BYTES];
    describe_place(checker, address, where, sizeof where);
    hd_access_findings_line(&checker->findings, "%s and %s of %s: %s", kind_names[earlier->kind],
                            kind_names[later->kind], where, what_is_missing(block, earlier, later));
    add_access(checker, earlier);
    add_access(checker, later);
    if (is_scratchpad(address) || !in)
        return;
    hd_allocation_describe(in, allocation);
    hd_access_findings_line(&checker->findings, "%s", allocation);
}
