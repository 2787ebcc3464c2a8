/* SPDX-License-Identifier: MIT */
/* What no core and no slice sends, and what is left when nothing should be. */
#include "bench.h"

static void expect_fault(bench *bench, const char *text)
{
    settle(bench);
    cr_assert_not_null(kit_fault_text(bench->kit), "%s", text);
    cr_expect_not_null(strstr(kit_fault_text(bench->kit), text), "%s", kit_fault_text(bench->kit));
    bench_destroy(bench);
}

static bench *make(void)
{
    bench *bench = bench_make(NULL);
    kit_expect_fault(bench->kit);
    return bench;
}

static void send_raw(bench *bench, const char *message, uint32_t epoch, uint32_t argument, uint32_t bytes)
{
    hd_packet *packet = kit_packet(bench->kit, message, bytes);
    packet->source = FIRST_CORE;
    packet->epoch = epoch;
    packet->argument = argument;
    kit_send(bench->kit, REQUEST, 0, packet, kit_now(bench->kit));
}

Test(transaction_memory_faults, requests_that_are_none)
{
    static const struct {
        const char *message;
        uint32_t epoch, argument, bytes;
        const char *text;
    } rows[] = {
        {HD_GLOBAL_LOAD, 1, 0, 0, "unknown message"},
        {HD_IDEAL_READ, 0, 0, sizeof(hd_ideal_read), "without an epoch"},
        {HD_IDEAL_READ, 1, 0, 8, "ill-formed load"},
        {HD_IDEAL_COMMIT, 1, 1, sizeof(hd_ideal_commit), "ill-formed commit"},
        {HD_IDEAL_COMMIT, 1, HD_IDEAL_WRITES + 1, HD_PACKET_BODY_MAX, "ill-formed commit"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench *bench = make();
        send_raw(bench, rows[i].message, rows[i].epoch, rows[i].argument, rows[i].bytes);
        expect_fault(bench, rows[i].text);
    }
}

static void expect_fault_by_values(uint32_t argument, uint32_t bytes, const char *text)
{
    bench *bench = bench_make((const char *[]){"conflicts=values", NULL});
    kit_expect_fault(bench->kit);
    send_raw(bench, HD_IDEAL_WRITTEN, 1, argument, bytes);
    expect_fault(bench, text);
}

Test(transaction_memory_faults, words_that_nobody_has_committed_are_not_written)
{
    expect_fault_by_values(1, sizeof(hd_ideal_write), "which is not committed");
    expect_fault_by_values(2, sizeof(hd_ideal_write), "ill-formed words");
    bench *bench = make();
    send_raw(bench, HD_IDEAL_WRITTEN, 1, 0, 0);
    expect_fault(bench, "unknown message");
}

Test(transaction_memory_faults, answers_to_nothing)
{
    bench *bench = make();
    kit_send(bench->kit, STORED, 0, kit_packet(bench->kit, HD_GLOBAL_STORE_ACK, 0), 0);
    expect_fault(bench, "an answer to store 0, which was not sent");
}

Test(transaction_memory_faults, alignment_with_words_that_are_not_in_memory)
{
    bench *bench = make();
    const hd_ideal_write write = write_of(0, 0, 1);
    bench->is_mute = 1;
    send_commit(bench, 0, 1, 1, &write, 1);
    settle(bench);
    kit_align(bench->kit);
    expect_fault(bench, "1 words are not in memory");
}

/* Everything but statistics is as after a reset. */
Test(transaction_memory_faults, alignment_forgets_who_has_read)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write write = write_of(0, 0, 1);
    read_word(bench, 100, 1, 0, 0);
    settle(bench);
    kit_align(bench->kit);
    send_commit(bench, 0, 1, 1, &write, 1);
    settle(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 0);
    cr_expect_eq(kit_statistic(bench->kit, "reads"), 1);
    bench_destroy(bench);
}

Test(transaction_memory_faults, says_what_it_has_left)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write write = write_of(0, 0, 1);
    bench->is_mute = 1;
    const hd_block_class *block_class = &hd_transaction_memory_ideal;
    const hd_pending *pending = block_class->extension(kit_instance(bench->kit), HD_EXTENSION_PENDING);
    cr_expect_eq(pending->has_work(kit_instance(bench->kit)), 0);
    send_commit(bench, 0, 1, 1, &write, 1);
    settle(bench);
    cr_expect_eq(pending->has_work(kit_instance(bench->kit)), 1);
    bench_destroy(bench);
}
