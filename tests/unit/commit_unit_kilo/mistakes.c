/* SPDX-License-Identifier: MIT */
/* What breaks the protocol ends the run and says so; parameters that make no sense are refused. */
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>

static void expect_fault(bench *bench, const char *part)
{
    settle(bench);
    cr_assert_not_null(kit_fault_text(bench->kit), "%s", part);
    cr_expect_not_null(strstr(kit_fault_text(bench->kit), part), "%s: %s", part, kit_fault_text(bench->kit));
    bench_destroy(bench);
}

static bench *make(void)
{
    bench *bench = bench_make(NULL);
    kit_expect_fault(bench->kit);
    return bench;
}

Test(kilo_unit_mistakes, ill_formed_messages)
{
    static const hd_kilo_word words[] = {
        {.address = AT(1) + 1, .byte_mask = 15}, {.address = AT(1)}, {.address = AT(1), .lane = 1, .byte_mask = 15}};
    for (uint32_t i = 0; i < 3; i++) {
        bench *bench = make();
        send_words(bench, HD_KILO_READ_SET, group_of(1, 1), &words[i], 1, 0, 0);
        expect_fault(bench, "ill-formed word");
    }
    bench *bench = make();
    send_words(bench, HD_KILO_READ_SET, group_of(1, 1), words, 0, 0, 0);
    expect_fault(bench, "ill-formed log");
    bench = make();
    send_skip(bench, 0, 0);
    expect_fault(bench, "ill-formed message");
    bench = make();
    send_lanes(bench, HD_KILO_OUTCOME, group_of(1, 1), 2, 0, 0);
    expect_fault(bench, "ill-formed message");
    bench = make();
    send_lanes(bench, HD_KILO_VERDICT, group_of(1, 1), 1, 1, 0);
    expect_fault(bench, "unknown message");
}

Test(kilo_unit_mistakes, ids_and_logs_that_are_over)
{
    bench *bench = make();
    send_skip(bench, 1, 0);
    send_skip(bench, 1, 0);
    expect_fault(bench, "I-1");
    bench = make();
    send_skip(bench, 1, 0);
    send_read(bench, 1, 1, 0, 100 * CYCLE);
    expect_fault(bench, "I-1");
    bench = make();
    send_read(bench, 1, 1, 0, 0);
    send_lanes(bench, HD_KILO_DONE_SKIP, group_of(1, 2), 1, 1, 0);
    expect_fault(bench, "I-1: two attempts");
    bench = make();
    send_done(bench, 2, 0);
    send_read(bench, 2, 1, 0, 0);
    expect_fault(bench, "complete");
    bench = make();
    send_read(bench, 1, 1, 0, 0);
    send_skip(bench, 1, 0);
    expect_fault(bench, "skips");
    bench = make();
    send_done(bench, 2, 0);
    send_lanes(bench, HD_KILO_RESENT, group_of(2, 1), 1, 0, 0);
    expect_fault(bench, "nobody has asked");
}

Test(kilo_unit_mistakes, outcomes_that_do_not_follow)
{
    bench *bench = make();
    send_read(bench, 1, 1, 5, 0);
    send_done(bench, 1, 0);
    send_outcome(bench, 1, 1, 500 * CYCLE);
    expect_fault(bench, "I-14");
    bench = make();
    send_read(bench, 1, 1, 0, 0);
    send_outcome(bench, 1, 0, 0);
    expect_fault(bench, "I-14");
    bench = make();
    send_outcome(bench, 1, 1, 0);
    expect_fault(bench, "no logs");
}

Test(kilo_unit_mistakes, stray_answers)
{
    bench *bench = make();
    kit_send(bench->kit, PORT_ACCESSED, 0, kit_packet(bench->kit, HD_GLOBAL_STORE_ACK, 0), 0);
    expect_fault(bench, "an answer to nothing");
    bench = make();
    bench->slow = 1000;
    bench->slow_address = AT(1);
    send_read(bench, 1, 1, 0, 0);
    kit_send(bench->kit, PORT_ACCESSED, 0, kit_packet(bench->kit, HD_GLOBAL_STORE_ACK, 0), 100 * CYCLE);
    expect_fault(bench, "something else");
}

Test(kilo_unit_mistakes, parameters)
{
    static const char *const refused[][2] = {
        {"coalesce=48 B", "coalesce"}, {"entries=63", "entries"}, {"tcd.granularity=12 B", "tcd.granularity"}};
    char error[256];
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect(kit_refuses(&hd_commit_unit_kilo, (const char *[]){refused[i][0], NULL}, error, sizeof error));
        cr_expect_not_null(strstr(error, refused[i][1]), "%s", error);
    }
}

typedef struct text {
    char lines[1024];
} text;
static void add_line(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(void *context, const char *format, ...)
{
    text *text = context;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text->lines + strlen(text->lines), sizeof text->lines - strlen(text->lines), format, arguments);
    va_end(arguments);
}

/* If a run hangs, the unit says what the oldest waits for. */
static void expect_described(bench *bench, const char *part)
{
    text text = {""};
    settle(bench);
    const hd_pending *pending = hd_commit_unit_kilo.extension(kit_instance(bench->kit), HD_EXTENSION_PENDING);
    pending->describe(kit_instance(bench->kit), &(hd_text_sink){&text, add_line});
    cr_expect_not_null(strstr(text.lines, part), "%s: %s", part, text.lines);
    bench_destroy(bench);
}

Test(kilo_unit_mistakes, a_hang_is_described)
{
    bench *bench = bench_make(NULL);
    send_skip(bench, 2, 0);
    expect_described(bench, "first word");
    bench = bench_make(NULL);
    send_write(bench, 1, 1, 0, 0);
    expect_described(bench, "the rest of its logs");
    bench = bench_make(NULL);
    send_write(bench, 1, 1, 0, 0);
    send_done(bench, 1, 0);
    expect_described(bench, "its outcome");
    bench = bench_make(NULL);
    bench->slow = 100000;
    bench->slow_address = AT(1);
    send_read(bench, 1, 1, 0, 0);
    send_done(bench, 1, 0);
    expect_described(bench, "its validation");
    bench = bench_make(NULL);
    kit_hold_credits(bench->kit, PORT_REPLY, 0, 1);
    for (uint64_t id = 1; id <= 70; id++) {
        send_write(bench, id, 1, 0, 0);
        send_done(bench, id, 0);
    }
    expect_described(bench, "wait for a credit");
}
