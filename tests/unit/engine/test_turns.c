/* SPDX-License-Identifier: MIT */
/* Turns of direct blocks: everything before is done, nothing at their time has begun, one after the other. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "hd_direct.h"

#define NS UINT64_C(1000)
#define ENTRIES 100000u

typedef struct entry {
    hd_time t;
    uint32_t block;
    uint32_t is_turn;
} entry;

/* Of this test's process. */
static entry entries[ENTRIES];
static uint32_t entry_count;

/* Does something each nanosecond, and has a turn every 7 ns, from lead on. */
typedef struct ticker {
    const hd_services *services;
    const hd_direct *direct;
    hd_time done;
    uint32_t asked;
} ticker;

static void note(const ticker *ticker, hd_time t, uint32_t is_turn)
{
    cr_assert_lt(entry_count, ENTRIES);
    entries[entry_count++] = (entry){t, ticker->services->index, is_turn};
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)values, (void)error, (void)error_bytes;
    ticker *made = calloc(1, sizeof *made);
    made->services = services;
    made->direct = services->extension(services->context, HD_EXTENSION_DIRECT);
    return (hd_block *)made;
}

static void reset(hd_block *block)
{
    ticker *ticker = (void *)block;
    ticker->done = ticker->asked = 0;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    ticker *ticker = (void *)block;
    (void)now;
    if (!ticker->asked++)
        ticker->direct->request(ticker->direct->context, ticker->direct->lead + 7 * NS);
    for (; ticker->done < horizon; ticker->done += NS)
        note(ticker, ticker->done, 0);
    return ticker->done;
}

static void take_turn(hd_block *block, hd_time t)
{
    ticker *ticker = (void *)block;
    note(ticker, t, 1);
    ticker->direct->request(ticker->direct->context, t + 7 * NS);
}

static const uint64_t *counters(hd_block *block)
{
    (void)block;
    return NULL;
}

static void destroy(hd_block *block)
{
    free(block);
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)block, (void)port, (void)element, (void)out, (void)in;
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_turn turn = {take_turn};
    (void)block;
    return strcmp(id, HD_EXTENSION_TURN) == 0 ? &turn : NULL;
}

static const hd_block_class ticker_class = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "ticker",
    .type = "direct",
    .doc = "does something each nanosecond",
    .source = "test",
    .flags = HD_BLOCK_DIRECT,
    .create = create,
    .connect = connect,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};

static uint32_t everything(hd_block *block, uint64_t address, hd_direct_range *range)
{
    static uint8_t bytes[4096];
    (void)block;
    *range = (hd_direct_range){.bytes = bytes, .address = address & ~UINT64_C(4095), .length = 4096};
    return 1;
}

static hd_engine *make(uint32_t blocks, const hd_holder *holder)
{
    hd_engine *engine = hd_engine_create();
    for (uint32_t i = 0; i < blocks; i++)
        hd_engine_add_block(engine, &ticker_class, "ticker", i, blocks, (hd_clock){1000000000}, NULL);
    if (holder)
        hd_engine_add_holder(engine, NULL, holder);
    return engine;
}

static void check_order(uint32_t blocks)
{
    hd_time latest = 0;
    uint32_t turns = 0;
    for (uint32_t i = 0; i < entry_count; i++) {
        if (!entries[i].is_turn) {
            latest = entries[i].t > latest ? entries[i].t : latest;
            continue;
        }
        cr_expect_lt(latest, entries[i].t, "something at %lu ps came before the turn at %lu ps", latest, entries[i].t);
        cr_expect_eq(entries[i].block, turns++ % blocks);
        for (uint32_t k = i + 1; k < entry_count; k++)
            cr_assert_geq(entries[k].t, entries[i].t);
    }
    cr_expect_gt(turns, 10 * blocks);
}

Test(turns, everything_before_is_done_and_nothing_of_their_time)
{
    static const hd_holder holder = {everything};
    for (uint64_t disturbance = 0; disturbance < 4; disturbance++) {
        hd_engine *engine = make(3, &holder);
        entry_count = 0;
        cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
        hd_engine_disturb(engine, disturbance);
        hd_engine_run(engine, 200 * NS);
        cr_assert_null(hd_engine_fault(engine, NULL, NULL));
        check_order(3);
        hd_engine_destroy(engine);
    }
}

Test(turns, a_machine_whose_memory_nobody_holds_is_refused)
{
    hd_engine *engine = make(1, NULL);
    cr_expect_eq(hd_engine_elaborate(engine, NULL), 1);
    hd_engine_destroy(engine);
}
