/* SPDX-License-Identifier: MIT */
/* What commits, and its replay in the order of the protocol. */
#include "getm_rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

void getm_rig_note(void *context, uint32_t endpoint, const hd_transaction *told)
{
    const getm_rig *g = context;
    for (uint32_t i = 0; i < told->read_count; i++)
        cr_assert_lt(told->reads[i].sample, g->samples, "which answer has brought a word is told");
    getm_rig_keep(context, endpoint, told);
}

void getm_rig_keep(void *context, uint32_t endpoint, const hd_transaction *told)
{
    getm_rig *g = context;
    (void)endpoint;
    cr_assert_lt(g->commits, GETM_COMMITS);
    cr_assert_eq(told->rule, HD_SERIAL_BY_ACCESS);
    cr_assert(told->read_count <= GETM_WORDS && told->write_count <= GETM_WORDS);
    getm_commit *commit = &g->commit[g->commits++];
    commit->told = *told;
    for (uint32_t i = 0; i < told->read_count; i++)
        commit->reads[i] = told->reads[i];
    for (uint32_t i = 0; i < told->write_count; i++)
        commit->writes[i] = told->writes[i];
    for (uint32_t i = 0; i < told->access_count && i < GETM_WORDS; i++)
        commit->accesses[i] = told->accesses[i];
}

static int by_order(const void *a, const void *b)
{
    const hd_transaction *x = &((const getm_commit *)a)->told, *y = &((const getm_commit *)b)->told;
    const uint64_t keys[][2] = {
        {x->era, y->era}, {x->order, y->order}, {x->warp, y->warp}, {x->attempt, y->attempt}, {x->lane, y->lane}};
    for (uint32_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

typedef struct image {
    struct {
        uint64_t address;
        uint32_t value;
    } words[4096];
    uint32_t count;
} image;

static uint32_t *word_of(image *memory, uint64_t address)
{
    for (uint32_t i = 0; i < memory->count; i++)
        if (memory->words[i].address == address)
            return &memory->words[i].value;
    memory->words[memory->count].address = address;
    memory->words[memory->count].value = 0;
    return &memory->words[memory->count++].value;
}

static uint32_t bits_of(uint32_t byte_mask)
{
    uint32_t bits = 0;
    for (uint32_t byte = 0; byte < 4; byte++)
        bits |= byte_mask >> byte & 1 ? 0xFFu << 8 * byte : 0;
    return bits;
}

void getm_rig_replay(getm_rig *g)
{
    image *memory = calloc(1, sizeof *memory);
    for (uint32_t i = 0; i < g->initial_count; i++)
        *word_of(memory, g->initial[i].address) = g->initial[i].value;
    qsort(g->commit, g->commits, sizeof *g->commit, by_order);
    for (uint32_t c = 0; c < g->commits; c++) {
        const getm_commit *commit = &g->commit[c];
        for (uint32_t i = 0; i < commit->told.read_count; i++) {
            const hd_transaction_word *read = &commit->reads[i];
            cr_assert_eq((*word_of(memory, read->address) ^ read->value) & bits_of(read->byte_mask), 0,
                         "warp %u lane %u at %lu has read 0x%x at 0x%lx, not 0x%x", commit->told.warp,
                         commit->told.lane, commit->told.order, read->value, read->address,
                         *word_of(memory, read->address));
        }
        for (uint32_t i = 0; i < commit->told.write_count; i++) {
            const hd_transaction_word *write = &commit->writes[i];
            uint32_t *word = word_of(memory, write->address);
            *word = (*word & ~bits_of(write->byte_mask)) | (write->value & bits_of(write->byte_mask));
        }
    }
    for (uint32_t i = 0; i < memory->count; i++)
        cr_assert_eq(rig_word(g->rig, memory->words[i].address), memory->words[i].value, "word 0x%lx",
                     memory->words[i].address);
    free(memory);
}
