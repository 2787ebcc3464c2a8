/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdlib.h>

struct written {
    uint32_t count;
    uint64_t address[8];
    uint8_t first[8];
};

static void record(kit_block *kit, void *context, uint64_t address, const void *data, uint32_t bytes)
{
    struct written *written = context;
    (void)kit;
    cr_assert_eq(bytes, LINE);
    cr_assert_lt(written->count, 8);
    written->address[written->count] = address;
    written->first[written->count++] = *(const uint8_t *)data;
}

Test(l2_slice, aligning_hands_over_dirty_lines_and_forgets_all)
{
    struct memory *memory = make_memory();
    struct written written = {0};
    kit_block *kit = make(memory, NULL, 1);
    kit_on_write_back(kit, record, &written);
    load_now(kit, 0);
    store_now(kit, 5 * LINE, 4, 0xF, 0x99);
    kit_align(kit);
    cr_assert_eq(written.count, 1);
    cr_expect_eq(written.address[0], 5 * LINE);
    cr_expect_eq(written.first[0], 0x99);
    cr_expect_eq(kit_statistic(kit, "stores"), 1, "statistics stay");
    load_now(kit, 0);
    cr_expect_eq(kit_statistic(kit, "misses"), 3);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, the_round_robin_starts_at_port_0_when_aligned)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 2);
    load_now(kit, 0); /* port 1 would be next */
    kit_align(kit);
    const hd_time t = kit_now(kit) + CYCLE;
    store(kit, 0, 0, LINE, UINT32_MAX, 1, 1, t);
    store(kit, 1, 0, LINE, UINT32_MAX, 2, 2, t);
    kit_free(kit, next_reply(kit));
    kit_free(kit, next_reply(kit));
    cr_expect_eq(load_now(kit, 0), 0x02020202, "port 1 came second");
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, debug_access_sees_lines_and_lines_that_leave)
{
    struct memory *memory = make_memory();
    memory->keep_requests = 1;
    kit_block *kit = make(memory, (const char *[]){"bytes=128 B", "ways=1", NULL}, 1);
    uint32_t word = 0;
    cr_expect_eq(kit_debug_read(kit, 0, &word, 4), 0);
    store_now(kit, 0, LINE, UINT32_MAX, 0x11);
    cr_expect_eq(kit_debug_read(kit, 124, &word, 8), 4, "as far as the line goes");
    cr_expect_eq(word, 0x11111111);
    word = 0x22222222;
    cr_expect_eq(kit_debug_write(kit, 0, &word, 4), 4);
    cr_expect_eq(load_now(kit, 0), 0x22222222);
    store_now(kit, LINE, LINE, UINT32_MAX, 0x33); /* evicts; memory has not answered */
    word = 0;
    cr_expect_eq(kit_debug_read(kit, 0, &word, 4), 4);
    cr_expect_eq(word, 0x22222222);
    cr_expect_eq(kit_debug_write(kit, 0, &word, 4), 0);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, marks_restart_the_high_water_mark)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    load_now(kit, 0);
    const hd_mark *mark = hd_l2_slice_write_back.extension(kit_instance(kit), HD_EXTENSION_MARK);
    cr_expect_eq(kit_statistic(kit, "mshr_maximum"), 1);
    mark->mark(kit_instance(kit));
    cr_expect_eq(kit_statistic(kit, "mshr_maximum"), 0);
    cr_expect_null(hd_l2_slice_write_back.extension(kit_instance(kit), "heddle.unheard_of/1"));
    kit_destroy(kit);
    free(memory);
}

static void count_line(void *context, const char *format, ...)
{
    (void)format;
    ++*(uint32_t *)context;
}

Test(l2_slice, says_what_it_waits_for)
{
    struct memory *memory = make_memory();
    memory->keep_requests = 1;
    kit_block *kit = make(memory, (const char *[]){"mshrs=1", NULL}, 1);
    load(kit, 0, 0, 4, 1, 0);
    load(kit, 0, LINE, 4, 2, 0);
    kit_run_until(kit, 100 * CYCLE);
    const hd_pending *pending = hd_l2_slice_write_back.extension(kit_instance(kit), HD_EXTENSION_PENDING);
    uint32_t lines = 0;
    const hd_text_sink sink = {&lines, count_line};
    cr_expect(pending->has_work(kit_instance(kit)));
    pending->describe(kit_instance(kit), &sink);
    cr_expect_eq(lines, 2);
    kit_destroy(kit);
    free(memory);
}

static void expect_fault(const char *message, uint64_t address, uint32_t argument, uint32_t body_bytes, uint8_t fill,
                         const char *text)
{
    static const uint32_t endpoints[] = {0, 1};
    kit_block *kit = make(NULL, NULL, 1);
    kit_address_map(kit, 2, 256, endpoints);
    kit_expect_fault(kit);
    hd_packet *packet = kit_packet(kit, message, body_bytes);
    packet->address = address;
    packet->argument = argument;
    memset(hd_body(packet), fill, body_bytes);
    kit_send(kit, REQUEST, 0, packet, 0);
    kit_run_until(kit, 100 * CYCLE);
    cr_assert_not_null(kit_fault_text(kit), "%s", text);
    cr_expect_not_null(strstr(kit_fault_text(kit), text), "%s", kit_fault_text(kit));
    kit_destroy(kit);
}

Test(l2_slice, reports_requests_that_have_no_meaning)
{
    expect_fault("test.nonsense/1", 0, 4, 0, 0, "unknown message");
    expect_fault(HD_GLOBAL_LOAD, 256, 4, 0, 0, "another partition");
    expect_fault(HD_GLOBAL_LOAD, 0, 0, 0, 0, "inside one line");
    expect_fault(HD_GLOBAL_LOAD, 126, 4, 0, 0, "inside one line");
    expect_fault(HD_GLOBAL_LOAD, 0, 129, 0, 0, "inside one line");
    expect_fault(HD_GLOBAL_STORE, 0, 8, 16, 0, "without its data");
    expect_fault(HD_GLOBAL_ATOMIC, 4, 1, 12, 0, "ill-formed atomic");
    expect_fault(HD_GLOBAL_ATOMIC, 0, 0, 12, 0, "ill-formed atomic");
    expect_fault(HD_GLOBAL_ATOMIC, 0, 2, 12, 0, "ill-formed atomic");
    expect_fault(HD_GLOBAL_ATOMIC, 0, 1, 12, 12, "ill-formed atomic");
}

Test(l2_slice, reports_a_memory_that_fails)
{
    struct memory *memory = make_memory();
    memory->keep_requests = 1;
    kit_block *kit = make(memory, NULL, 1);
    kit_expect_fault(kit);
    load(kit, 0, 0, 4, 1, 0);
    kit_run_until(kit, 50 * CYCLE);
    hd_packet *request = kit_receive(kit, MEMORY, 0, 50 * CYCLE);
    hd_packet *response = kit_packet(kit, HD_MEMORY_RESPONSE, 0);
    response->tag = request->tag;
    response->argument = HD_STATUS_ADDRESS_ERROR;
    kit_free(kit, request);
    kit_send(kit, MEMORY, 0, response, 60 * CYCLE);
    kit_run_until(kit, 100 * CYCLE);
    cr_assert_not_null(kit_fault_text(kit));
    cr_expect_not_null(strstr(kit_fault_text(kit), "status 1"));
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, refuses_sizes_that_do_not_fit)
{
    char error[256] = "";
    cr_expect(kit_refuses(&hd_l2_slice_write_back, (const char *[]){"bytes=1000 B", NULL}, error, sizeof error));
    cr_expect_not_null(strstr(error, "multiple"));
    cr_expect(kit_refuses(&hd_l2_slice_write_back, (const char *[]){"versions=3", NULL}, error, sizeof error));
    cr_expect_not_null(strstr(error, "power of two"));
}

static void expect_plru(const char *bytes, const char *ways, const char *refusal)
{
    char error[256] = "";
    const char *const parameters[] = {"replacement=plru", bytes, ways, NULL};
    cr_expect_eq(kit_refuses(&hd_l2_slice_write_back, parameters, error, sizeof error), refusal != NULL, "%s", ways);
    cr_expect(!refusal || strstr(error, refusal), "%s: %s", ways, error);
}

Test(l2_slice, has_as_many_ways_as_its_replacement_policy_can_do_with)
{
    expect_plru("bytes=768 B", "ways=6", "replacement 'plru' needs a number of ways that is a power of two");
    expect_plru("bytes=16 KiB", "ways=128", "replacement 'plru' needs 64 ways at most");
    expect_plru("bytes=8 KiB", "ways=64", NULL);
    expect_plru("bytes=128 B", "ways=1", NULL);
}
