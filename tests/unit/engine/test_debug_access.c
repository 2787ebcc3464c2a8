/* SPDX-License-Identifier: MIT */
/* Untimed access from a block downwards: levels that hold a range of bytes each, or none, one below the other. */
#include "debug_levels.h"

static uint32_t reads(const hd_engine *engine, uint32_t block, uint64_t address, uint32_t bytes)
{
    uint8_t data[BYTES];
    return hd_engine_debug_access(engine, block, ABOVE, address, data, bytes, 0);
}

Test(debug_access, passes_through_blocks_that_hold_nothing)
{
    hd_engine *engine = hd_engine_create();
    uint8_t written[BYTES], data[BYTES] = {0};
    fill(written);
    const uint32_t top = add(engine, &passing, 0, 0), middle = add(engine, &passing, 0, 0),
                   bottom = add(engine, &holding, 0, BYTES);
    join(engine, top, 0, middle, 0);
    join(engine, middle, 0, bottom, 0);
    start(engine);
    cr_expect_eq(hd_engine_debug_access(engine, top, ABOVE, 3, written + 3, 200, 1), 200);
    cr_expect_arr_eq(level_of(engine, bottom)->bytes + 3, written + 3, 200);
    cr_expect_eq(hd_engine_debug_access(engine, middle, ABOVE, 3, data, 200, 0), 200);
    cr_expect_arr_eq(data, written + 3, 200);
    hd_engine_destroy(engine);
}

Test(debug_access, finds_what_a_block_in_between_holds_of_it)
{
    hd_engine *engine = hd_engine_create();
    uint8_t written[BYTES], data[BYTES] = {0};
    fill(written);
    const uint32_t top = add(engine, &passing, 0, 0), cache = add(engine, &holding, 64, 96),
                   bottom = add(engine, &holding, 0, BYTES);
    join(engine, top, 0, cache, 0);
    join(engine, cache, 0, bottom, 0);
    start(engine);
    cr_expect_eq(hd_engine_debug_access(engine, top, ABOVE, 10, written + 10, 190, 1), 190);
    for (uint32_t i = 0; i < BYTES; i++) {
        const int is_cached = i >= 64 && i < 96, is_written = i >= 10 && i < 200;
        cr_expect_eq(level_of(engine, cache)->bytes[i], is_cached ? written[i] : 0, "byte %u of the cache", i);
        cr_expect_eq(level_of(engine, bottom)->bytes[i], is_written && !is_cached ? written[i] : 0, "byte %u", i);
    }
    cr_expect_eq(hd_engine_debug_access(engine, top, ABOVE, 10, data, 190, 0), 190);
    cr_expect_arr_eq(data, written + 10, 190);
    hd_engine_destroy(engine);
}

/* Bytes that begin and end anywhere between those of below. */
Test(debug_access, reads_single_bytes_that_a_block_in_between_holds)
{
    hd_engine *engine = hd_engine_create();
    uint8_t written[BYTES], data[BYTES] = {0};
    fill(written);
    const uint32_t cache = add(engine, &holding, 70, 75), bottom = add(engine, &holding, 0, BYTES);
    join(engine, cache, 0, bottom, 0);
    start(engine);
    cr_expect_eq(hd_engine_debug_access(engine, cache, ABOVE, 70, written + 70, 5, 1), 5);
    cr_expect_eq(hd_engine_debug_access(engine, cache, ABOVE, 60, data, 40, 0), 40);
    for (uint32_t i = 0; i < 40; i++)
        cr_expect_eq(data[i], i >= 10 && i < 15 ? written[60 + i] : 0, "byte %u", 60 + i);
    hd_engine_destroy(engine);
}

Test(debug_access, ends_where_nobody_holds_the_next_byte)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t top = add(engine, &passing, 0, 0), left = add(engine, &holding, 0, 100),
                   right = add(engine, &holding, 128, 160);
    join(engine, top, 0, left, 0);
    join(engine, top, 1, right, 0);
    start(engine);
    cr_expect_eq(reads(engine, top, 0, BYTES), 100);
    cr_expect_eq(reads(engine, top, 100, 4), 0);
    cr_expect_eq(reads(engine, top, 128, 64), 32);
    cr_expect_eq(reads(engine, left, 0, 64), 64);
    cr_expect_eq(reads(engine, left, 128, 4), 0, "what is beside a block is not below it");
    hd_engine_destroy(engine);
}

static uint32_t bus_windows(void *context, uint32_t endpoint, uint32_t port, hd_bus_window *found, uint32_t capacity)
{
    (void)context;
    cr_assert(endpoint == 0 && port == BELOW && capacity >= 2);
    found[0] = (hd_bus_window){.first = 0, .last = 99, .element = 1};
    found[1] = (hd_bus_window){.first = 100, .last = 199, .element = 0};
    return 2;
}

Test(debug_access, of_a_bus_goes_where_the_bus_decodes_to)
{
    hd_engine *engine = hd_engine_create();
    const hd_bus_map map = {.windows = bus_windows};
    uint8_t written[BYTES];
    fill(written);
    hd_engine_provide(engine, HD_EXTENSION_BUS_MAP, &map);
    const uint32_t bus = add(engine, &decoding, 0, 0), high = add(engine, &holding, 0, BYTES),
                   low = add(engine, &holding, 0, BYTES);
    join(engine, bus, 0, high, 0);
    join(engine, bus, 1, low, 0);
    start(engine);
    cr_expect_eq(hd_engine_debug_access(engine, bus, ABOVE, 80, written + 80, 300, 1), 120);
    for (uint32_t i = 0; i < BYTES; i++) {
        cr_expect_eq(level_of(engine, low)->bytes[i], i >= 80 && i < 100 ? written[i] : 0, "byte %u", i);
        cr_expect_eq(level_of(engine, high)->bytes[i], i >= 100 && i < 200 ? written[i] : 0, "byte %u", i);
    }
    hd_engine_destroy(engine);
}

Test(debug_access, of_a_block_that_sends_by_address_goes_to_the_partition)
{
    hd_engine *engine = hd_engine_create();
    static const uint32_t endpoints[] = {2, 1};
    const hd_address_map map = {.partitions = 2, .interleave_bytes = 128, .endpoints = endpoints};
    uint8_t written[BYTES];
    fill(written);
    hd_engine_provide(engine, HD_EXTENSION_ADDRESS_MAP, &map);
    const uint32_t sender = add(engine, &sending, 0, 0), odd = add(engine, &holding, 0, BYTES),
                   even = add(engine, &holding, 0, BYTES);
    start(engine);
    cr_expect_eq(hd_engine_debug_access(engine, sender, ABOVE, 100, written + 100, 56, 1), 56);
    for (uint32_t i = 0; i < BYTES; i++) {
        cr_expect_eq(level_of(engine, even)->bytes[i], i >= 100 && i < 128 ? written[i] : 0, "byte %u", i);
        cr_expect_eq(level_of(engine, odd)->bytes[i], i >= 128 && i < 156 ? written[i] : 0, "byte %u", i);
    }
    cr_expect_eq(reads(engine, sender, 0xF0, 64), 16, "its window ends at 0x100");
    cr_expect_eq(reads(engine, sender, 0x180, 4), 0, "registers are not memory");
    cr_expect_eq(reads(engine, odd, 0x40, 4), 4, "a partition answers whatever it holds");
    hd_engine_destroy(engine);
}

Test(debug_access, of_registers_is_at_the_block_that_has_them)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t top = add(engine, &passing, 0, 0), device = add(engine, &registering, 0x180, 0x190);
    uint8_t written[4] = {1, 2, 3, 4}, read[4] = {0};
    join(engine, top, 0, device, 0);
    start(engine);
    cr_expect_eq(hd_engine_debug_access(engine, top, ABOVE, 0x184, written, 4, 1), 4);
    cr_expect_eq(hd_engine_debug_access(engine, top, ABOVE, 0x184, read, 4, 0), 4);
    cr_expect_eq(memcmp(read, written, 4), 0);
    cr_expect_eq(registers_were_asked_at, hd_engine_now(engine));
    cr_expect_eq(reads(engine, top, 0x18C, 16), 4, "there are no others");
    cr_expect_eq(reads(engine, top, 0x190, 4), 0);
    cr_expect_eq(reads(engine, top, 0x100, 4), 0, "that is beside its window");
    hd_engine_destroy(engine);
}

Test(debug_access, ends_in_a_circle)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t a = add(engine, &passing, 0, 0), b = add(engine, &passing, 0, 0);
    join(engine, a, 0, b, 0);
    join(engine, b, 0, a, 0);
    start(engine);
    cr_expect_eq(reads(engine, a, 0, 4), 0);
    hd_engine_destroy(engine);
}

/* ---- Models outside ----------------------------------------------------------------------------------------------- */

static uint32_t access_outside(void *context, const hd_link *link, uint64_t address, void *data, uint32_t bytes,
                               uint32_t is_write)
{
    uint8_t *memory = context;
    if (hd_link_sender(link).element == 0)
        return 0;
    if (is_write)
        memcpy(memory + address, data, bytes);
    else
        memcpy(data, memory + address, bytes);
    return bytes + 1; /* says more than it did */
}

static const char *name_outside(void *context, const hd_link *link)
{
    (void)context, (void)link;
    return "model.socket";
}

Test(debug_access, asks_the_models_outside)
{
    hd_engine *engine = hd_engine_create();
    uint8_t memory[BYTES], data[BYTES] = {0};
    const hd_outside outside = {.context = memory, .debug_access = access_outside, .name = name_outside};
    fill(memory);
    const uint32_t top = add(engine, &passing, 0, 0);
    join(engine, top, 0, HD_FOREIGN, 0);
    join(engine, top, 1, HD_FOREIGN, 0);
    hd_engine_set_outside(engine, &outside);
    start(engine);
    cr_expect_eq(hd_engine_debug_access(engine, top, ABOVE, 5, data, 100, 0), 100);
    cr_expect_arr_eq(data, memory + 5, 100);
    data[0] = 0xEE;
    cr_expect_eq(hd_engine_debug_access(engine, top, ABOVE, 5, data, 1, 1), 1);
    cr_expect_eq(memory[5], 0xEE);
    hd_engine_destroy(engine);
}

/* ---- Data that are written back ------------------------------------------------------------------------------------ */

static hd_time asks_for_alignment(hd_block *block, hd_time now, hd_time horizon)
{
    const hd_services *services = ((level *)block)->services;
    const hd_rendezvous *rendezvous = services->extension(services->context, HD_EXTENSION_RENDEZVOUS);
    (void)horizon;
    if (now == 0)
        rendezvous->request(rendezvous->context, 0, HD_RENDEZVOUS_ALIGN, 0);
    return HD_NEVER;
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    (void)block, (void)t;
    sink->write_back(sink->context, 0x40, "12345678", 8);
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_align alignment = {align};
    (void)block;
    return hd_ability(id, NULL, &alignment, NULL);
}

/* Of a dirty cache over a block in between over `below`; NULL: a foreign model. */
static const char *fault_over(const hd_block_class *below, uint64_t end, hd_engine **made)
{
    static const hd_outside outside = {.name = name_outside};
    static hd_block_class dirty;
    hd_engine *engine = *made = hd_engine_create();
    dirty = holding;
    dirty.type = "aligning";
    dirty.extension = extension;
    dirty.advance = asks_for_alignment;
    const uint32_t top = add(engine, &dirty, 0, BYTES), middle = add(engine, &passing, 0, 0),
                   bottom = below ? add(engine, below, 0, end) : HD_FOREIGN;
    join(engine, top, 0, middle, 0);
    join(engine, middle, 0, bottom, 0);
    hd_engine_set_outside(engine, &outside);
    start(engine);
    hd_engine_step(engine, HD_NEVER);
    while (hd_engine_step(engine, 1000000) < 1000000)
        continue;
    return hd_engine_fault(engine, NULL, NULL);
}

Test(debug_access, takes_what_is_written_back_through_blocks_in_between)
{
    hd_engine *engine;
    cr_expect_null(fault_over(&holding, BYTES, &engine));
    cr_expect_arr_eq(level_of(engine, 2)->bytes + 0x40, "12345678", 8);
    hd_engine_destroy(engine);
}

#define REMEDY ". A machine with launch_align: false writes nothing back in this way"

static void expect_fault(const hd_block_class *below, uint64_t end, const char *expected)
{
    hd_engine *engine;
    const char *fault = fault_over(below, end, &engine);
    cr_expect_str_eq(fault ? fault : "none", expected);
    hd_engine_destroy(engine);
}

Test(debug_access, names_who_does_not_take_what_is_written_back)
{
    expect_fault(&holding, 0x44,
                 "a writes back 4 bytes at 0x44 before a kernel starts, but c (level/holding) does not hold that "
                 "address" REMEDY);
    expect_fault(&passing, 0,
                 "a writes back 8 bytes at 0x40 before a kernel starts, but c (level/passing) has no debug_access: it "
                 "has to hold that address, or to lead to who does" REMEDY);
    expect_fault(NULL, 0,
                 "a writes back 8 bytes at 0x40 before a kernel starts, but model.socket, a SystemC model, takes none "
                 "of them by transport_dbg: it has to implement that, or its link says debug: absent, and they are "
                 "written as requests" REMEDY);
}
