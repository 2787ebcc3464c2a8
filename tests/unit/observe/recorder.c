/* SPDX-License-Identifier: MIT */
/* What a recorder is made of: patterns, arrows, the encoding, files that come into being as a whole. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protobuf.h"
#include "recorder_internal.h"

Test(recorder, a_star_is_any_text_and_a_bracket_itself)
{
    static const struct {
        const char *pattern, *text;
        uint32_t matches;
    } rows[] = {
        {"core[3]", "core[3]", 1},
        {"core[3]", "core3", 0},
        {"core[*]", "core[13]", 1},
        {"*", "", 1},
        {"", "", 1},
        {"", "a", 0},
        {"a*b*c", "aXbYbZc", 1},
        {"a*b*c", "aXbYbZ", 0},
        {"?", "", 0},
        {"path.*", "path.ready", 1},
        {"**", "x", 1},
        {"a?c", "abc", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(trace_matches(rows[i].pattern, rows[i].text), rows[i].matches, "'%s' and '%s'", rows[i].pattern,
                     rows[i].text);
}

static uint32_t selects(const char *pattern, const char *path)
{
    return trace_selects_path(&pattern, 1, path);
}

Test(recorder, a_pattern_selects_what_lies_below_and_may_leave_out_an_index)
{
    cr_expect(selects("core[3]", "core[3]/warp[5]"));
    cr_expect_not(selects("core[3]", "core[30]"));
    cr_expect_not(selects("core[3]", "core[30]/warp[5]"));
    cr_expect(selects("core", "core[30]/warp[5]"));
    cr_expect_not(selects("cor", "core[30]"));
    cr_expect(selects("core[?]/warp", "core[7]/warp[12]"));
    cr_expect_not(selects("core[?]/warp", "core[7]/slot[1]"));
    cr_expect_not(selects("core[7]/warp[1]", "core[7]"));
    cr_expect(trace_selects_path(NULL, 0, "anything"));
}

Test(recorder, a_kernel_is_chosen_by_number_or_name)
{
    const char *const patterns[] = {"3", "re*"};
    cr_expect(trace_selects_kernel(patterns, 2, 3, "other"));
    cr_expect(trace_selects_kernel(patterns, 2, 0, "reduce"));
    cr_expect_not(trace_selects_kernel(patterns, 2, 30, "other"));
    cr_expect(trace_selects_kernel(NULL, 0, 30, "other"));
}

Test(recorder, an_arrow_that_ends_has_begun)
{
    static const char name[] = "barrier", copy[] = "barrier";
    trace_flows *flows = trace_flows_create();
    cr_expect_eq(trace_flows_use(flows, name, 7, HD_TRACE_TO), 0);
    const uint64_t first = trace_flows_use(flows, name, 7, HD_TRACE_FROM);
    const uint64_t other = trace_flows_use(flows, "conflict", 7, HD_TRACE_FROM);
    cr_expect_neq(first, 0);
    cr_expect_neq(first, other);
    cr_expect_eq(trace_flows_use(flows, copy, 7, HD_TRACE_THROUGH), first, "the name is what counts, not where it is");
    cr_expect_eq(trace_flows_use(flows, name, 7, HD_TRACE_TO), first);
    cr_expect_eq(trace_flows_use(flows, name, 7, HD_TRACE_TO), 0, "it has ended");
    cr_expect_eq(trace_flows_use(flows, "conflict", 7, HD_TRACE_TO), other);
    trace_flows_destroy(flows);
}

/* Random arrows, and the same in a table without any cleverness. */
Test(recorder, a_hundred_thousand_arrows)
{
    enum { NUMBERS = 4096 };
    static uint64_t expected[NUMBERS];
    trace_flows *flows = trace_flows_create();
    uint64_t state = 42, last = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint32_t number = (uint32_t)(state >> 40) % NUMBERS, direction = (uint32_t)(state >> 60) % 3;
        const uint64_t id = trace_flows_use(flows, "arrow", (uint64_t)number << 32, direction);
        if (direction == HD_TRACE_FROM)
            expected[number] = ++last;
        cr_assert_eq(id, expected[number], "seed 42, step %u", i);
        if (direction == HD_TRACE_TO)
            expected[number] = 0;
    }
    trace_flows_destroy(flows);
}

Test(recorder, numbers_texts_and_messages_on_the_wire)
{
    /* By the encoding guide: 150 is 96 01; field 2 of bytes is 12; fixed64 is least byte first. */
    static const uint8_t wanted[] = {0x08, 0x96, 0x01, 0x12, 0x02, 'h', 'd',  0x19, 1,    0,    0,    0,
                                     0,    0,    0,    0x80, 0x22, 3,   0x08, 0x96, 0x01, 0xA0, 0x06, 0x00};
    protobuf inner = {0}, outer = {0};
    protobuf_number(&inner, 1, 150);
    protobuf_number(&outer, 1, 150);
    protobuf_text(&outer, 2, "hd");
    protobuf_fixed64(&outer, 3, UINT64_C(0x8000000000000001));
    protobuf_message(&outer, 4, &inner);
    protobuf_number(&outer, 100, 0);
    cr_assert_eq(outer.count, sizeof wanted);
    cr_expect_arr_eq(outer.bytes, wanted, sizeof wanted);
    protobuf_clear(&outer);
    protobuf_number(&outer, 1, UINT64_MAX);
    cr_expect_eq(outer.count, 11, "the longest number has ten bytes");
    cr_expect_eq(outer.bytes[10], 1);
    protobuf_free(&inner);
    protobuf_free(&outer);
}

Test(recorder, a_file_is_there_as_a_whole_or_not_at_all)
{
    char folder[] = "/tmp/heddle-output-XXXXXX", path[64], text[8] = "";
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out", folder);
    output_file *file = output_file_open(path);
    output_file_put(file, "abc", 3);
    cr_expect_neq(access(path, F_OK), 0, "it is not finished");
    output_file_abandon(file);
    cr_expect_neq(access(path, F_OK), 0);
    file = output_file_open(path);
    output_file_put(file, "abc", 3);
    output_file *other = output_file_open("/dev/full");
    output_file_copy(file, other);
    cr_expect_eq(output_file_bytes(other), 3);
    cr_expect_eq(output_file_finish(other), 0);
    cr_expect_eq(errno, ENOSPC);
    cr_expect_eq(output_file_finish(file), 1);
    FILE *there = fopen(path, "r");
    cr_assert(there && fread(text, 1, sizeof text, there) == 3);
    fclose(there);
    cr_expect_str_eq(text, "abc");
    unlink(path);
    cr_expect_eq(rmdir(folder), 0, "something was left behind");
}
