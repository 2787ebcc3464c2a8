/* SPDX-License-Identifier: MIT */
/* Untimed access by the address map: blocks in front of the partitions hold what is newer, and bytes of one requester's own. */
#include "debug_levels.h"

#include "hd_debug.h"

enum { OWN = 0x400, OWN_BYTES = 16 };

/* Two partitions, of which each holds everything; a front that holds bytes 64 to 96; and three who ask, of whom the last has no way to it. */
typedef struct fronted {
    hd_engine *engine;
    uint32_t even, odd, front, sender, other, third;
} fronted;

static uint8_t own[2][OWN_BYTES];

static uint32_t place(hd_block *block, uint32_t port, uint32_t element, uint64_t address, hd_debug_place *place)
{
    (void)block;
    *place = (hd_debug_place){.address = address};
    if (address < OWN)
        return 0;
    if (port == IN && address < OWN + OWN_BYTES) {
        place->bytes = &own[element][address - OWN];
        place->count = (uint32_t)(OWN + OWN_BYTES - address);
    }
    return 1;
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_debug_ports ports = {place};
    (void)block;
    return strcmp(id, HD_EXTENSION_DEBUG_PORTS) == 0 ? &ports : NULL;
}

static void open_with(fronted *f, const hd_block_class *requester)
{
    static const uint32_t endpoints[] = {0, 1};
    static const hd_address_map map = {.partitions = 2, .interleave_bytes = 128, .endpoints = endpoints};
    static hd_block_class front;
    front = fronting;
    front.extension = extension;
    f->engine = hd_engine_create();
    hd_engine_provide(f->engine, HD_EXTENSION_ADDRESS_MAP, &map);
    f->even = add(f->engine, &holding, 0, BYTES);
    f->odd = add(f->engine, &holding, 0, BYTES);
    f->front = add(f->engine, &front, 64, 96);
    f->sender = add(f->engine, requester, 0, 0);
    f->other = add(f->engine, requester, 0, 0);
    f->third = add(f->engine, &sending, 0, 0);
    join_out(f->engine, f->other, f->front, 0);
    join_out(f->engine, f->sender, f->front, 1);
    start(f->engine);
    fill((uint8_t *)(uintptr_t)level_of(f->engine, f->even)->bytes);
    fill((uint8_t *)(uintptr_t)level_of(f->engine, f->odd)->bytes);
}

static void open(fronted *f)
{
    open_with(f, &sending);
}

static uint32_t reach(const fronted *f, uint32_t from, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    return hd_engine_debug_access(f->engine, from, UINT32_MAX, address, data, bytes, is_write);
}

Test(debug_fronts, have_what_is_newer_whoever_asks)
{
    fronted f;
    uint8_t written[BYTES], data[BYTES] = {0};
    open(&f);
    fill(written);
    memset((uint8_t *)(uintptr_t)level_of(f.engine, f.front)->bytes + 64, 0xA5, 32);
    memset(written + 64, 0xA5, 32);
    cr_expect_eq(reach(&f, f.sender, 10, data, 190, 0), 190);
    cr_expect_arr_eq(data, written + 10, 190);
    cr_expect_eq(reach(&f, f.front, 10, data, 190, 0), 190);
    cr_expect_arr_eq(data, written + 10, 190);
    hd_engine_destroy(f.engine);
}

Test(debug_fronts, take_what_is_written_of_theirs)
{
    fronted f;
    uint8_t written[BYTES], before[BYTES];
    open(&f);
    fill(before);
    memset(written, 0x5A, sizeof written);
    cr_expect_eq(reach(&f, f.other, 60, written, 100, 1), 100);
    for (uint32_t i = 0; i < 256; i++) {
        const uint32_t is_written = i >= 60 && i < 160, is_front = i >= 64 && i < 96;
        const level *partition = level_of(f.engine, i / 128 ? f.odd : f.even);
        cr_expect_eq(partition->bytes[i], is_written && !is_front ? 0x5A : before[i], "byte %u", i);
        cr_expect_eq(level_of(f.engine, f.front)->bytes[i], is_front ? 0x5A : 0, "byte %u of the front", i);
    }
    hd_engine_destroy(f.engine);
}

/* Nothing has arrived at the partition of what the front has. */
Test(debug_fronts, are_not_asked_for_what_has_arrived)
{
    fronted f;
    uint8_t expected[BYTES], data[BYTES] = {0};
    open(&f);
    fill(expected);
    cr_expect_eq(hd_engine_debug_read_arrived(f.engine, f.sender, 60, data, 60), 60);
    cr_expect_arr_eq(data, expected + 60, 60);
    hd_engine_destroy(f.engine);
}

Test(debug_fronts, have_bytes_of_each_requester)
{
    fronted f;
    uint8_t data[OWN_BYTES] = {0};
    open(&f);
    memset(own[0], 1, OWN_BYTES);
    memset(own[1], 2, OWN_BYTES);
    cr_expect_eq(reach(&f, f.sender, OWN + 4, data, OWN_BYTES, 0), OWN_BYTES - 4);
    cr_expect_arr_eq(data, own[1] + 4, OWN_BYTES - 4);
    memset(data, 3, sizeof data);
    cr_expect_eq(reach(&f, f.other, OWN, data, 4, 1), 4);
    cr_expect_arr_eq(own[0], "\3\3\3\3\1\1", 6);
    cr_expect_eq(own[1][0], 2);
    cr_expect_eq(reach(&f, f.sender, OWN + OWN_BYTES, data, 4, 0), 0, "there are no more");
    cr_expect_eq(reach(&f, f.even, OWN, data, 4, 0), 0, "a partition has none");
    cr_expect_eq(reach(&f, f.third, OWN, data, 4, 0), 0, "it has no way to the front");
    hd_engine_destroy(f.engine);
}

/* One store of each requester to the first of its own bytes, which the front never takes. */
static hd_time stores(hd_block *block, hd_time now, hd_time horizon)
{
    level *self = (level *)block;
    const hd_services *s = self->services;
    (void)horizon;
    if (now)
        return HD_NEVER;
    hd_packet *packet = s->alloc(s->context, sizeof(hd_store) + 1);
    hd_store *store = hd_body(packet);
    const hd_message_number number = {&packet->message, HD_GLOBAL_STORE};
    hd_number_messages(s, &number, 1);
    memset(store->byte_mask, 0, sizeof store->byte_mask);
    store->byte_mask[0] = 1;
    *(uint8_t *)hd_store_data(store) = (uint8_t)(0x10 + s->endpoint);
    packet->address = OWN;
    packet->argument = 1;
    packet->body_bytes = sizeof(hd_store) + 1;
    s->send(s->context, self->out, packet, now);
    return HD_NEVER;
}

Test(debug_fronts, find_what_a_requester_has_sent_to_its_own)
{
    fronted f;
    uint8_t data;
    hd_block_class storing = sending;
    storing.advance = stores;
    open_with(&f, &storing);
    hd_engine_step(f.engine, 10);
    own[0][0] = own[1][0] = 0;
    cr_expect_eq(reach(&f, f.sender, OWN, &data, 1, 0), 1);
    cr_expect_eq(data, 0x10 + f.sender);
    cr_expect_eq(reach(&f, f.other, OWN, &data, 1, 0), 1);
    cr_expect_eq(data, 0x10 + f.other);
    hd_engine_destroy(f.engine);
}
