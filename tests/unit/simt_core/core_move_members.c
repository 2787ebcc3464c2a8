/* SPDX-License-Identifier: MIT */
/* Every member of the state of a block that moves does what its row in context_members.h says. */
#include "context_members.h"
#include "core.h"
#include "core_pair.h"

#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>

#define THREADS 80u
#define WARPS 3u

typedef struct member {
    const char *name;
    size_t offset, bytes;
    enum context_fate fate;
} member;

#define MEMBER_OF(type, member_name, member_fate)                                                                      \
    {#member_name, offsetof(type, member_name), sizeof((type *)NULL)->member_name, CONTEXT_##member_fate},
#define OF_BLOCK(name, fate) MEMBER_OF(block_state, name, fate)
#define OF_WARP(name, fate) MEMBER_OF(warp_state, name, fate)
#define OF_PATH(name, fate) MEMBER_OF(path_state, name, fate)
static const member of_block[] = {CONTEXT_BLOCK_MEMBERS(OF_BLOCK)};
static const member of_warp[] = {CONTEXT_WARP_MEMBERS(OF_WARP)};
static const member of_path[] = {CONTEXT_PATH_MEMBERS(OF_PATH)};
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* What a core holds of its only block, in slot 0 and the first warps. */
typedef struct context_image {
    block_state block;
    warp_state warps[WARPS];
    path_state paths[WARPS];
} context_image;

static context_image image_of(core_pair *pair, uint32_t number)
{
    const simt_core *core = (const simt_core *)kit_instance(rig_kit(pair->rig[number]));
    context_image image = {.block = core->blocks[0]};
    memcpy(image.warps, core->warps, sizeof image.warps);
    memcpy(image.paths, core->path_states, sizeof image.paths);
    return image;
}

/* `waits`: the path does, in both. */
static uint32_t is_kept(const member *m, const uint8_t *before, const uint8_t *after, uint32_t waits)
{
    static const uint8_t nothing[sizeof(block_state)];
    switch (m->fate) {
    case CONTEXT_MOVES: return !memcmp(before, after, m->bytes);
    case CONTEXT_WAITS: return !waits || !memcmp(before, after, m->bytes);
    case CONTEXT_EMPTY: return !memcmp(before, nothing, m->bytes) && !memcmp(after, nothing, m->bytes);
    default: return 1;
    }
}

/* And would it be seen if it did not? A bit of it is another one for a moment. */
static void check_members(const member *members, size_t count, const void *from, void *to, uint32_t waits)
{
    for (const member *m = members; m < members + count; m++) {
        const uint8_t *before = (const uint8_t *)from + m->offset;
        uint8_t *after = (uint8_t *)to + m->offset;
        const uint32_t is_bound =
            m->fate == CONTEXT_MOVES || m->fate == CONTEXT_EMPTY || (m->fate == CONTEXT_WAITS && waits);
        cr_expect(is_kept(m, before, after, waits), "%s is not what it was, or not empty", m->name);
        for (size_t byte = 0; byte < m->bytes; byte++) {
            after[byte] ^= 1;
            cr_expect_eq(is_kept(m, before, after, waits), !is_bound, "%s: byte %zu may change unseen", m->name, byte);
            after[byte] ^= 1;
        }
    }
}

/* The first warp waits at barrier 5 for the others, which are on their way to it. */
static void write_program(uint32_t *words)
{
    const uint32_t code[] = {csrr(T0, 0xCCD), beq(T0, ZERO, 16), DELAY(400), bar_sync(5), ret()};
    memcpy(words, code, sizeof code);
    words[COUNT(code)] = 0;
}

Test(simt_core, members_of_a_moved_block_do_what_their_rows_say)
{
    static const char *const parameters[] = {"blocks=1", NULL};
    uint32_t words[64];
    write_program(words);
    core_pair *pair = pair_create(parameters, parameters, words);
    pair_launch(pair, 0, THREADS, 64);
    pair_run(pair, 300);
    cr_assert(pair_rest(pair, 0, 0));
    const context_image before = image_of(pair, 0);
    pair_save(pair, 0, 0);
    pair_release(pair, 0, 0);
    cr_assert(pair_restore(pair, 1), "%s", pair->error);
    context_image after = image_of(pair, 1);

    cr_assert_eq(before.block.threads.arrived[5], 32);
    check_members(of_block, COUNT(of_block), &before.block, &after.block, 0);
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        check_members(of_warp, COUNT(of_warp), &before.warps[warp], &after.warps[warp], 0);
        check_members(of_path, COUNT(of_path), &before.paths[warp], &after.paths[warp], warp == 0);
    }
    cr_expect_eq(after.paths[0].status, PATH_BARRIER);
    cr_expect_eq(after.paths[0].barrier, before.paths[0].barrier);
    pair_resume(pair, 1, 0);
    pair_finish(pair, 1);
    pair_destroy(pair);
}
