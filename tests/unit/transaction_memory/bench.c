/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdlib.h>

static void keep_answer(bench *self, kit_block *kit, uint32_t core, const hd_packet *packet, hd_time t)
{
    cr_assert_lt(self->answer_count, ANSWERS);
    answer *kept = &self->answers[self->answer_count++];
    *kept = (answer){.message = kit_message_name(kit, packet->message), .t = t, .core = core, .packet = *packet};
    const struct {
        const char *message;
        void *body;
        size_t bytes;
    } bodies[] = {{HD_IDEAL_WORDS, &kept->words, sizeof kept->words},
                  {HD_IDEAL_VERDICT, &kept->verdict, sizeof kept->verdict},
                  {HD_IDEAL_DOOM, &kept->doom, sizeof kept->doom}};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (!strcmp(kept->message, bodies[i].message)) {
            cr_assert_eq(packet->body_bytes, bodies[i].bytes);
            memcpy(bodies[i].body, hd_body_const(packet), bodies[i].bytes);
        }
    if (!strcmp(kept->message, HD_IDEAL_CHANGED)) {
        cr_assert(packet->argument && packet->body_bytes == packet->argument * sizeof *kept->changed);
        memcpy(kept->changed, hd_body_const(packet), packet->body_bytes);
    }
}

static void keep_store(bench *self, const hd_packet *packet, hd_time t)
{
    const hd_store *store = hd_body_const(packet);
    stored *kept = &self->stores[self->store_count++ % STORES];
    *kept = (stored){.t = t, .packet = *packet};
    memcpy(kept->byte_mask, store->byte_mask, sizeof kept->byte_mask);
    memcpy(kept->data, hd_store_data_const(store), packet->argument);
    for (uint32_t i = 0; i < packet->argument; i++)
        if (store->byte_mask[i / 32] >> i % 32 & 1)
            self->memory[(packet->address + i) % sizeof self->memory] = kept->data[i];
}

static uint32_t take(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    bench *self = context;
    if (port == REPLY) {
        cr_expect_eq(packet->destination, FIRST_CORE + element);
        keep_answer(self, kit, element, packet, t);
    } else {
        cr_expect_eq(packet->address / 256 % PARTITIONS, element);
        keep_store(self, packet, t);
        hd_packet *answer = self->is_mute ? NULL : kit_packet(kit, HD_GLOBAL_STORE_ACK, 0);
        if (answer) {
            answer->tag = packet->tag;
            kit_send(kit, STORED, element, answer, t + DELAY * CYCLE);
        }
    }
    kit_free(kit, packet);
    return 1;
}

bench *bench_make_unstarted(const char *const *parameters)
{
    bench *self = calloc(1, sizeof *self);
    self->kit = kit_create(&hd_transaction_memory_ideal, parameters);
    for (uint32_t core = 0; core < CORES; core++) {
        kit_connect(self->kit, REQUEST, core, 1, 64);
        kit_connect(self->kit, REPLY, core, 1, 64);
        kit_route(self->kit, REPLY, FIRST_CORE + core, core);
    }
    for (uint32_t partition = 0; partition < PARTITIONS; partition++) {
        kit_connect(self->kit, STORE, partition, 1, 8);
        kit_connect(self->kit, STORED, partition, 1, 8);
        kit_route(self->kit, STORE, 1 + partition, partition);
    }
    kit_respond(self->kit, take, self);
    kit_record(self->kit);
    return self;
}

bench *bench_make(const char *const *parameters)
{
    bench *self = bench_make_unstarted(parameters);
    kit_start(self->kit);
    return self;
}

void bench_destroy(bench *self)
{
    kit_destroy(self->kit);
    free(self);
}

static void send(bench *self, uint32_t warp, uint32_t epoch, hd_packet *packet)
{
    packet->source = (uint16_t)(FIRST_CORE + warp / 100);
    packet->flow = warp;
    packet->epoch = epoch;
    kit_send(self->kit, REQUEST, warp / 100, packet, kit_now(self->kit));
}

void send_read(bench *self, uint32_t warp, uint32_t epoch, uint64_t line, uint64_t lanes, const uint8_t *word)
{
    hd_packet *packet = kit_packet(self->kit, HD_IDEAL_READ, sizeof(hd_ideal_read));
    hd_ideal_read *body = hd_body(packet);
    body->lanes = lanes;
    body->pc = 0x100 + warp;
    for (uint64_t left = lanes; left; left &= left - 1)
        body->word[__builtin_ctzll(left)] = word[__builtin_ctzll(left)];
    packet->address = line;
    packet->argument = HD_LINE_BYTES;
    packet->tag = 77 + warp;
    send(self, warp, epoch, packet);
}

void read_word(bench *self, uint32_t warp, uint32_t epoch, uint32_t lane, uint64_t address)
{
    uint8_t word[HD_IDEAL_LANES] = {0};
    word[lane] = (uint8_t)(address % HD_LINE_BYTES / 4);
    send_read(self, warp, epoch, address & ~(uint64_t)(HD_LINE_BYTES - 1), UINT64_C(1) << lane, word);
}

hd_ideal_write write_of(uint32_t lane, uint64_t address, uint32_t value)
{
    return (hd_ideal_write){.address = address, .value = value, .byte_mask = 15, .lane = (uint8_t)lane};
}

static void send_words(bench *self, uint32_t warp, uint32_t epoch, uint64_t lanes, const hd_ideal_write *writes,
                       uint32_t count, uint32_t is_last, uint64_t changes)
{
    const size_t bytes = count * sizeof *writes;
    hd_packet *packet = kit_packet(self->kit, HD_IDEAL_COMMIT, (uint32_t)(sizeof(hd_ideal_commit) + bytes));
    hd_ideal_commit *body = hd_body(packet);
    *body = (hd_ideal_commit){.lanes = lanes, .pc = 0x200 + warp, .is_last = is_last};
    if (bytes)
        memcpy(body + 1, writes, bytes);
    packet->argument = count;
    packet->tag = changes;
    send(self, warp, epoch, packet);
}

void send_part(bench *self, uint32_t warp, uint32_t epoch, uint64_t lanes, const hd_ideal_write *writes, uint32_t count,
               uint32_t is_last)
{
    send_words(self, warp, epoch, lanes, writes, count, is_last, 0);
}

void send_compared(bench *self, uint32_t warp, uint32_t epoch, uint64_t lanes, const hd_ideal_write *writes,
                   uint32_t count, uint64_t changes)
{
    send_words(self, warp, epoch, lanes, writes, count, 1, changes);
}

void send_written(bench *self, uint32_t warp, const hd_ideal_write *writes, uint32_t count)
{
    hd_packet *packet = kit_packet(self->kit, HD_IDEAL_WRITTEN, (uint32_t)(count * sizeof *writes));
    memcpy(hd_body(packet), writes, count * sizeof *writes);
    packet->argument = count;
    send(self, warp, 1, packet);
}

void send_commit(bench *self, uint32_t warp, uint32_t epoch, uint64_t lanes, const hd_ideal_write *writes,
                 uint32_t count)
{
    send_part(self, warp, epoch, lanes, writes, count, 1);
}

void step(bench *self)
{
    kit_run_until(self->kit, kit_now(self->kit) + 8 * CYCLE);
}

void settle(bench *self)
{
    kit_run_until(self->kit, kit_now(self->kit) + 500 * CYCLE);
}

const answer *latest(const bench *self, const char *message, uint32_t warp)
{
    for (uint32_t i = self->answer_count; i-- > 0;)
        if (!strcmp(self->answers[i].message, message) && self->answers[i].packet.flow == warp)
            return &self->answers[i];
    cr_assert_fail("no %s for warp %u", message, warp);
    return NULL;
}

uint32_t count_of(const bench *self, const char *message)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->answer_count; i++)
        count += !strcmp(self->answers[i].message, message);
    return count;
}
