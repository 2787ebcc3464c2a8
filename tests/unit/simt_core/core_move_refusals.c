/* SPDX-License-Identifier: MIT */
/* A core takes what a save of this version wrote for a core like itself, and says why it does not take anything else. */
#include "core_pair.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char *const standard[] = {NULL};

/* A block of 40 threads that has stopped on core 0 and is saved. */
static core_pair *with_saved(const char *const *second)
{
    const uint32_t words[] = {DELAY(100), bar_sync(0), ret(), 0};
    core_pair *pair = pair_create(standard, second, words);
    pair_launch(pair, 0, 40, 100);
    cr_assert_eq(pair_state(pair, 0, 0), HD_CONTEXT_ABSENT, "it has yet to come");
    pair_run(pair, 10);
    cr_assert(pair_rest(pair, 0, 0));
    pair_save(pair, 0, 0);
    return pair;
}

static void expect_refused(core_pair *pair, const char *error)
{
    const uint64_t fingerprint = kit_fingerprint(rig_kit(pair->rig[1]));
    cr_expect_not(pair_restore(pair, 1));
    cr_expect_str_eq(pair->error, error);
    cr_expect_eq(pair_state(pair, 1, 0), HD_CONTEXT_ABSENT);
    cr_expect_eq(kit_fingerprint(rig_kit(pair->rig[1])), fingerprint);
}

Test(simt_core, bytes_that_are_no_saved_block_are_refused)
{
    char text[160];
    core_pair *pair = with_saved(standard);
    const uint64_t bytes = pair->stream_bytes;
    for (pair->stream_bytes = 0; pair->stream_bytes < 60; pair->stream_bytes += 59)
        expect_refused(pair, "this is no saved thread block");
    snprintf(text, sizeof text, "the saved thread block has %lu bytes, but here are %lu", bytes, bytes - 1);
    pair->stream_bytes = bytes - 1;
    expect_refused(pair, text);
    snprintf(text, sizeof text, "the saved thread block has %lu bytes, but here are %lu", bytes, bytes + 1);
    pair->stream_bytes = bytes + 1;
    expect_refused(pair, text);
    pair->stream_bytes = bytes;
    pair->stream[0] ^= 1;
    expect_refused(pair, "this is no saved thread block");
    pair->stream[0] ^= 1;
    pair->stream[4] = 1;
    expect_refused(pair, "the thread block was saved in version 1 of the format; this is version 6");
    pair->stream[4] = 6;
    for (uint64_t at = 60; at < bytes; at += bytes / 16) {
        pair->stream[at] ^= 0x10;
        expect_refused(pair, "the saved thread block is damaged: its checksum is another");
        pair->stream[at] ^= 0x10;
    }
    cr_expect(pair_restore(pair, 1), "%s", pair->error);
    pair_destroy(pair);
}

Test(simt_core, a_core_of_another_shape_refuses)
{
    static const struct {
        const char *parameters[2];
        const char *error;
    } shapes[] = {
        {{"lanes=16", NULL}, "the thread block was saved with 32 lanes per warp; block has 16"},
        {{"reconvergence=mimd", NULL}, "the thread block was saved with reconvergence 'stack'; block has 'mimd'"},
        {{"warps=1", "schedulers=1"}, "block has no room for the saved thread block: 40 threads, 100 B of scratchpad"},
        {{"scratchpad.bytes=96 B", NULL},
         "block has no room for the saved thread block: 40 threads, 100 B of scratchpad"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const char *const second[] = {shapes[i].parameters[0], shapes[i].parameters[1], NULL};
        core_pair *pair = with_saved(second);
        expect_refused(pair, shapes[i].error);
        pair_destroy(pair);
    }
}

Test(simt_core, a_tag_names_one_block_of_a_core)
{
    core_pair *pair = with_saved(standard);
    cr_expect_not(pair_restore(pair, 0));
    cr_expect_str_eq(pair->error, "block holds a thread block of tag 0 already");
    cr_expect_eq(pair_state(pair, 0, 0), HD_CONTEXT_STOPPED);
    pair_release(pair, 0, 0);
    cr_expect(pair_restore(pair, 0), "%s", pair->error);
    pair_resume(pair, 0, 0);
    pair_finish(pair, 1);
    cr_expect_eq(pair_statistic(pair, "threads_run"), 40);
    pair_destroy(pair);
}

Test(simt_core, each_step_needs_the_one_before)
{
    core_pair *pair = with_saved(standard);
    hd_block *core = kit_instance(rig_kit(pair->rig[0]));
    const hd_context *context = hd_simt_core_timed.extension(core, HD_EXTENSION_CONTEXT);
    const hd_time t = pair_now(pair);
    hd_context_size size;
    cr_expect_not(context->stop(core, 0, t), "it has stopped");
    cr_expect_not(context->stop(core, 1, t), "there is no such block");
    cr_expect_not(context->size(core, 1, &size));
    cr_expect_not(context->save(core, 0, pair->stream, pair->stream_bytes - 1), "too little room");
    pair_resume(pair, 0, 0);
    cr_expect_not(context->resume(core, 0, t));
    cr_expect_not(context->release(core, 0, t));
    cr_expect_not(context->save(core, 0, pair->stream, pair->stream_bytes));
    pair_destroy(pair);
}

Test(simt_core, says_how_large_a_block_is)
{
    static const char *const registers[] = {"registers_per_thread=17", NULL};
    const uint32_t words[] = {DELAY(100), ret(), 0};
    core_pair *pair = pair_create(registers, registers, words);
    pair_launch(pair, 0, 40, 100);
    pair_run(pair, 10);
    const hd_context_size size = pair_size(pair, 0, 0);
    cr_expect_eq(size.threads, 40);
    cr_expect_eq(size.warps, 2);
    cr_expect_eq(size.register_bytes, 40 * 17 * 4);
    cr_expect_eq(size.scratchpad_bytes, 100);
    cr_expect_gt(size.control_bytes, 2 * (8 + 4 + 4), "mask, pc and depth of each warp at least");
    cr_expect_gt(size.stream_bytes, 2 * 32 * 63 * 4 + 100 + size.control_bytes);
    pair_destroy(pair);
}

Test(simt_core, saving_twice_and_saving_what_was_restored_give_the_same_bytes)
{
    core_pair *pair = with_saved(standard);
    static uint8_t first[1u << 16];
    const uint64_t bytes = pair->stream_bytes;
    cr_assert_leq(bytes, sizeof first);
    memcpy(first, pair->stream, bytes);
    pair_save(pair, 0, 0);
    cr_expect_arr_eq(pair->stream, first, bytes);
    cr_assert(pair_restore(pair, 1), "%s", pair->error);
    pair_save(pair, 1, 0);
    cr_expect_eq(pair->stream_bytes, bytes);
    cr_expect_arr_eq(pair->stream, first, bytes);
    pair_destroy(pair);
}

Test(simt_core, a_block_that_nobody_resumes_is_named)
{
    const uint32_t words[] = {jal(ZERO, 0), ret(), 0};
    core_pair *pair = pair_create(standard, standard, words);
    hd_block *core = kit_instance(rig_kit(pair->rig[0]));
    const hd_pending *pending = hd_simt_core_timed.extension(core, HD_EXTENSION_PENDING);
    pair_launch(pair, 0, 32, 0);
    pair_run(pair, 50);
    cr_assert(pair_rest(pair, 0, 0));
    cr_expect(pending->has_work(core));
    const char *text = kit_described(rig_kit(pair->rig[0]));
    cr_expect(strstr(text, "is stopped with its block"), "%s", text);
    pair_destroy(pair);
}
