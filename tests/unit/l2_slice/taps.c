/* SPDX-License-Identifier: MIT */
/* What the slice tells its taps, and what they are for. */
#include "hd_tap.h"

#include <stdlib.h>

#include "bench.h"

enum { CALLS_MAX = 32 };

typedef struct told {
    char what; /* 's'ample, 'w'rite, 'r'elease */
    uint64_t tag;
    uint64_t number;
    uint64_t cycle;
    uint32_t port;
    uint32_t written;
    uint32_t first_word; /* of the line, in release */
} told;

/* A tap that keeps what it is told, with an answer by tag. */
typedef struct keeper {
    told calls[CALLS_MAX];
    uint32_t count;
    uint64_t takes; /* tags as bits */
    hd_packet *taken[4];
    uint32_t taken_count;
    uint8_t mark; /* appended to loads, with the note */
} keeper;

static uint32_t keep(hd_block *context, char what, const hd_tap_access *access, uint64_t *note)
{
    keeper *self = (keeper *)context;
    const uint64_t tag = access->request->tag;
    if (self->count < CALLS_MAX)
        self->calls[self->count++] = (told){
            .what = what, .tag = tag, .number = access->number, .cycle = access->t / CYCLE, .port = access->port};
    *note += 1 + tag;
    if (!(self->takes >> tag & 1))
        return HD_TAP_PASS;
    self->taken[self->taken_count++] = access->request;
    return HD_TAP_TAKE;
}

static uint32_t on_sample(hd_block *context, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    (void)element;
    return keep(context, 's', access, note);
}

static uint32_t on_write(hd_block *context, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    (void)element;
    return keep(context, 'w', access, note);
}

static void on_release(hd_block *context, uint32_t element, const hd_tap_release *release)
{
    keeper *self = (keeper *)context;
    (void)element;
    told call = {.what = 'r',
                 .tag = release->reply->tag,
                 .number = release->number,
                 .cycle = release->t / CYCLE,
                 .written = release->written};
    memcpy(&call.first_word, release->line, 4);
    if (self->count < CALLS_MAX)
        self->calls[self->count++] = call;
    const uint8_t more[2] = {self->mark, (uint8_t)release->note};
    if (self->mark)
        cr_expect(hd_tap_append(release->reply, more, sizeof more, 1));
}

static const hd_tap tap = {on_sample, on_write, on_release};

static void expect_call(const keeper *self, uint32_t i, told expected)
{
    const told *call = &self->calls[i];
    cr_assert_lt(i, self->count);
    cr_expect(call->what == expected.what && call->tag == expected.tag && call->number == expected.number &&
                  call->cycle == expected.cycle && call->written == expected.written,
              "call %u: %c of %u, number %u, cycle %u, words %#x", i, call->what, (unsigned)call->tag,
              (unsigned)call->number, (unsigned)call->cycle, call->written);
}

static kit_block *make_tapped(struct memory *memory, keeper *first, keeper *second)
{
    kit_block *kit = make(memory, NULL, 2);
    kit_tap(kit, TAP, 0, &tap, first);
    if (second)
        kit_tap(kit, TAP, 1, &tap, second);
    return kit;
}

Test(l2_slice_taps, acceptance_is_told_hit_or_miss_and_release_when_it_is_done)
{
    struct memory *memory = make_memory();
    keeper self = {.count = 0};
    kit_block *kit = make_tapped(memory, &self, NULL);
    load(kit, 0, 0, 4, 1, 0);                                                         /* misses */
    store(kit, 1, 8, 8, UINT32_MAX, 5, 2, CYCLE);                                     /* behind it */
    const hd_atomic_operation swaps[] = {{.operation = HD_ATOMIC_SWAP, .operand = 9}, /* likewise */
                                         {.operation = HD_ATOMIC_CAS, .word = 1}};
    atomic(kit, 0, 0, swaps, 2, 3, 2 * CYCLE);
    store(kit, 1, 256, LINE, UINT32_MAX, 6, 4, 3 * CYCLE); /* is not fetched */
    kit_run_until(kit, 500 * CYCLE);
    const uint64_t fill = LINK + MEMORY_DELAY;
    cr_expect_eq(self.count, 9);
    expect_call(&self, 0, (told){.what = 's', .tag = 1, .number = 0, .cycle = 0});
    expect_call(&self, 1, (told){.what = 'w', .tag = 2, .number = 1, .cycle = 1});
    expect_call(&self, 2, (told){.what = 's', .tag = 3, .number = 2, .cycle = 2});
    expect_call(&self, 3, (told){.what = 'w', .tag = 3, .number = 2, .cycle = 2});
    expect_call(&self, 4, (told){.what = 'w', .tag = 4, .number = 3, .cycle = 3});
    expect_call(&self, 5, (told){.what = 'r', .tag = 4, .number = 3, .cycle = 3, .written = UINT32_MAX});
    expect_call(&self, 6, (told){.what = 'r', .tag = 1, .number = 0, .cycle = fill});
    expect_call(&self, 7, (told){.what = 'r', .tag = 2, .number = 1, .cycle = fill, .written = 0xC});
    expect_call(&self, 8, (told){.what = 'r', .tag = 3, .number = 2, .cycle = fill, .written = 1});
    cr_expect_eq(self.calls[1].port, 1);
    cr_expect_eq(self.calls[8].first_word, 9, "the line as the access left it");
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice_taps, what_is_taken_was_never_accepted)
{
    struct memory *memory = make_memory();
    keeper first = {.takes = 1 << 2 | 1 << 3}, second = {.count = 0};
    kit_block *kit = make_tapped(memory, &first, &second);
    const hd_atomic_operation add = {.operation = HD_ATOMIC_ADD, .operand = 1};
    load(kit, 0, 0, 4, 1, 0);
    load(kit, 0, 128, 4, 2, 0);
    atomic(kit, 0, 0, &add, 1, 3, 0);
    load(kit, 0, 0, 4, 4, 0);
    kit_run_until(kit, 500 * CYCLE);
    cr_expect_eq(first.taken_count, 2);
    cr_expect_eq(kit_waiting(kit, REPLY, 0), 2);
    cr_expect_eq(kit_statistic(kit, "loads"), 2);
    cr_expect_eq(kit_statistic(kit, "atomics"), 0);
    cr_expect_eq(memory->reads, 1, "no line was fetched for it");
    cr_expect_eq(second.count, 4, "nobody else hears of it");
    cr_expect_eq(second.calls[1].number, 1);
    cr_expect_eq(first.taken[0]->tag, 2);
    cr_expect_eq(sent_at(kit, REPLY, 1), LINK + MEMORY_DELAY + 1 + LATENCY);
    for (uint32_t i = 0; i < 2; i++)
        kit_free(kit, first.taken[i]);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice_taps, only_the_first_may_take)
{
    struct memory *memory = make_memory();
    keeper first = {.count = 0}, second = {.takes = 1 << 2};
    kit_block *kit = make_tapped(memory, &first, &second);
    kit_expect_fault(kit);
    load(kit, 0, 0, 4, 2, 0);
    kit_run_until(kit, 500 * CYCLE);
    cr_expect_str_eq(kit_fault_text(kit), "block: tap 1 takes a request, which only tap 0 may");
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice_taps, each_finds_its_note_again_and_may_append_to_a_load)
{
    struct memory *memory = make_memory();
    keeper first = {.mark = 0xA1}, second = {.mark = 0xB2};
    kit_block *kit = make_tapped(memory, &first, &second);
    load(kit, 0, 256, LINE, 7, 0);
    hd_packet *reply = next_reply(kit);
    static const uint8_t more[] = {0xA1, 8, 0xB2, 8};
    cr_expect_eq(reply->argument, LINE);
    cr_expect_eq(reply->body_bytes, LINE + sizeof more);
    cr_expect_eq(reply->wire_bytes, HD_HEADER_WIRE_BYTES + LINE + 2);
    cr_expect_eq(memcmp(hd_body(reply), &memory->bytes[256], LINE), 0);
    cr_expect_eq(memcmp((uint8_t *)hd_body(reply) + LINE, more, sizeof more), 0);
    kit_free(kit, reply);
    kit_destroy(kit);
    free(memory);
}

/* ---- A validation unit ----------------------------------------------------------------------------------------------- */

/* A granule is reserved from a verdict on a store until its commit is accepted. Loads in between are kept. */
typedef struct validator {
    uint32_t is_reserved;
    hd_packet *kept;
    uint64_t released_by; /* tag of the write that gave the reservation back */
} validator;

static uint32_t judge(hd_block *context, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    validator *self = (validator *)context;
    (void)element;
    (void)note;
    if (!access->request->epoch || !self->is_reserved)
        return HD_TAP_PASS;
    self->kept = access->request;
    return HD_TAP_TAKE;
}

static uint32_t commit(hd_block *context, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    validator *self = (validator *)context;
    (void)element;
    (void)note;
    self->is_reserved = 0;
    self->released_by = access->request->tag;
    return HD_TAP_PASS;
}

static void transactional_load(kit_block *kit, uint64_t address, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_packet(kit, HD_GLOBAL_LOAD, 0);
    packet->address = address;
    packet->argument = 4;
    packet->tag = tag;
    packet->source = 9;
    packet->epoch = 1;
    kit_send(kit, REQUEST, 0, packet, t);
}

/* Verdict and data are of one moment: what is approved before a commit reads what was there before, even if its line comes
 * from memory long after; what comes later waits for the commit. */
Test(l2_slice_taps, a_verdict_and_the_data_that_it_is_about_are_one_event)
{
    static const hd_tap validation = {judge, commit, NULL};
    struct memory *memory = make_memory();
    validator self = {.is_reserved = 0};
    kit_block *kit = make(memory, NULL, 2);
    kit_tap(kit, TAP, 0, &validation, &self);
    uint32_t before;
    memcpy(&before, memory->bytes, 4);
    transactional_load(kit, 0, 1, 0); /* approved; misses */
    kit_run_until(kit, 2 * CYCLE);
    self.is_reserved = 1;
    transactional_load(kit, 0, 2, 3 * CYCLE);            /* kept */
    store(kit, 1, 0, 4, UINT32_MAX, 0x44, 3, 5 * CYCLE); /* the commit */
    kit_run_until(kit, 10 * CYCLE);
    cr_assert_not_null(self.kept);
    cr_expect_eq(self.released_by, 3, "when it was accepted, not when its line had come");
    kit_send(kit, REQUEST, 0, self.kept, 10 * CYCLE); /* again */
    for (uint32_t tag = 1; tag <= 3; tag++) {
        hd_packet *reply = next_reply(kit);
        uint32_t word;
        memcpy(&word, hd_body(reply), 4);
        cr_expect(reply->tag != 1 || word == before);
        cr_expect(reply->tag != 2 || word == 0x44444444);
        kit_free(kit, reply);
    }
    kit_destroy(kit);
    free(memory);
}

/* ---- Temporal conflict detection ---------------------------------------------------------------------------------------- */

/* Two sub-arrays of two entries, as in the example of Fung 2015 Fig. 6.8. */
typedef struct last_written {
    hd_time table[2][2];
} last_written;

static hd_time *entry(last_written *self, uint32_t array, uint64_t address)
{
    static const uint32_t index[2][3] = {{0, 1, 1}, {1, 0, 1}}; /* lines 0, 1, 2 stand for 10, 20, 30 */
    return &self->table[array][index[array][address / LINE]];
}

static uint32_t look_up(hd_block *context, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    last_written *self = (last_written *)context;
    (void)element;
    *note = hd_earlier(*entry(self, 0, access->request->address), *entry(self, 1, access->request->address));
    return HD_TAP_PASS;
}

static uint32_t enter(hd_block *context, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    last_written *self = (last_written *)context;
    (void)element;
    (void)note;
    for (uint32_t array = 0; array < 2; array++)
        *entry(self, array, access->request->address) = access->t;
    return HD_TAP_PASS;
}

static void append_time(hd_block *context, uint32_t element, const hd_tap_release *release)
{
    (void)context;
    (void)element;
    if (!release->written)
        cr_assert(hd_tap_append(release->reply, &release->note, sizeof release->note, sizeof release->note));
}

static uint64_t time_with(kit_block *kit, uint64_t line, hd_time t)
{
    uint64_t time;
    load(kit, 0, line * LINE, 4, 0, t);
    kit_run_until(kit, t + 100 * CYCLE);
    hd_packet *reply = kit_receive(kit, REPLY, 0, kit_now(kit));
    while (reply->body_bytes == 0) { /* of a store */
        kit_free(kit, reply);
        reply = kit_receive(kit, REPLY, 0, kit_now(kit));
    }
    memcpy(&time, (uint8_t *)hd_body(reply) + reply->argument, sizeof time);
    kit_free(kit, reply);
    return time / CYCLE;
}

Test(l2_slice_taps, a_table_of_write_times_is_read_and_written_with_the_data)
{
    static const hd_tap detection = {look_up, enter, append_time};
    struct memory *memory = make_memory();
    last_written self = {0};
    kit_block *kit = make(memory, NULL, 1);
    kit_tap(kit, TAP, 0, &detection, &self);
    cr_expect_eq(time_with(kit, 0, 1000 * CYCLE), 0);
    store(kit, 0, 0 * LINE, 4, UINT32_MAX, 1, 1, 7000 * CYCLE);
    cr_expect_eq(time_with(kit, 2, 10000 * CYCLE), 0, "another line, by the least of its entries");
    store(kit, 0, 1 * LINE, 4, UINT32_MAX, 1, 1, 15000 * CYCLE);
    const uint64_t last = time_with(kit, 1, 18000 * CYCLE);
    cr_expect_eq(last, 15000, "%u: a conflict for who read first at 1000", (unsigned)last);
    kit_destroy(kit);
    free(memory);
}
