/* SPDX-License-Identifier: MIT */
/* What does not fit ends the run, and the parameter is named; what just fits does not. */
#include "bench.h"

static void expect_fault(bench *bench, const char *text)
{
    settle(bench);
    cr_assert_not_null(kit_fault_text(bench->kit), "%s", text);
    cr_expect_not_null(strstr(kit_fault_text(bench->kit), text), "%s", kit_fault_text(bench->kit));
    bench_destroy(bench);
}

static bench *make(const char *parameter)
{
    bench *bench = bench_make((const char *[]){parameter, NULL});
    kit_expect_fault(bench->kit);
    return bench;
}

Test(transaction_memory_limits, warps)
{
    bench *bench = make("warps=8");
    read_word(bench, 7, 1, 0, 0);
    step(bench);
    cr_expect_null(kit_fault_text(bench->kit));
    read_word(bench, 8, 1, 0, 0);
    expect_fault(bench, "warps (8) does not suffice");
}

Test(transaction_memory_limits, readers)
{
    bench *bench = make("readers=3");
    for (uint32_t i = 0; i < 3; i++)
        read_word(bench, 1, 1, i, 4 * i);
    read_word(bench, 1, 1, 3, 0);
    step(bench);
    read_word(bench, 1, 2, 0, 12); /* another attempt: the first is forgotten */
    step(bench);
    cr_expect_null(kit_fault_text(bench->kit));
    for (uint32_t i = 0; i < 3; i++)
        read_word(bench, 2, 1, i, 4 * i);
    expect_fault(bench, "readers (3) does not suffice");
}

Test(transaction_memory_limits, words)
{
    bench *bench = make("words=2");
    const hd_ideal_write writes[] = {write_of(0, 0, 1), write_of(0, 4, 1), write_of(0, 8, 1)};
    send_commit(bench, 0, 1, 1, writes, 2);
    settle(bench);
    send_commit(bench, 0, 2, 1, writes + 1, 2);
    settle(bench);
    cr_expect_null(kit_fault_text(bench->kit));
    send_commit(bench, 0, 3, 1, writes, 3);
    expect_fault(bench, "words (2) does not suffice");
}

Test(transaction_memory_limits, stores)
{
    bench *bench = make("stores=2");
    const hd_ideal_write writes[] = {write_of(0, 0, 1), write_of(0, 4, 1), write_of(0, 128, 1), write_of(0, 256, 1)};
    send_commit(bench, 0, 1, 1, writes, 3);
    settle(bench);
    cr_expect_null(kit_fault_text(bench->kit));
    send_commit(bench, 0, 2, 1, writes, 4);
    expect_fault(bench, "stores (2) does not suffice");
}

Test(transaction_memory_limits, commit_words)
{
    bench *bench = make("commit_words=2");
    const hd_ideal_write writes[] = {write_of(0, 0, 1), write_of(0, 4, 1)};
    for (uint32_t epoch = 1; epoch < 4; epoch++) {
        send_part(bench, 0, epoch, 1, writes, 1, 0);
        send_part(bench, 0, epoch, 1, writes + 1, 1, 1);
    }
    settle(bench);
    cr_expect_null(kit_fault_text(bench->kit));
    send_part(bench, 0, 4, 1, writes, 2, 0);
    send_part(bench, 0, 4, 1, writes, 1, 1);
    expect_fault(bench, "commit_words (2) does not suffice");
}
