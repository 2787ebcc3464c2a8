/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdlib.h>

static uint32_t is_receiver(uint32_t endpoint)
{
    return endpoint == OTHER_CORE || endpoint == CORE;
}

static uint32_t next_receiver(void *context, uint32_t message, uint32_t endpoint)
{
    (void)context, (void)message;
    while (endpoint <= CORE && !is_receiver(endpoint))
        endpoint++;
    return endpoint <= CORE ? endpoint : UINT32_MAX;
}

static void note_told(bench *self, uint32_t enters, const hd_packet *packet, hd_time t)
{
    cr_assert_lt(self->told_count, HEARD);
    cr_assert(is_receiver(packet->destination) && packet->tag < 2 && packet->flow == 0);
    cr_assert_eq(packet->body_bytes, packet->argument * sizeof(uint32_t));
    broadcasted *told = &self->told[self->told_count++];
    *told = (broadcasted){.enters = enters,
                          .receiver = packet->destination,
                          .wire_bytes = packet->wire_bytes,
                          .set = (uint32_t)packet->tag,
                          .count = packet->argument,
                          .t = t};
    const uint32_t *addresses = hd_body_const(packet);
    for (uint32_t i = 0; i < told->count && i < 8; i++)
        told->words[i] = (addresses[i] - AT(0)) / 4;
}

static void note_signature(bench *self, const hd_packet *packet, hd_time t)
{
    cr_assert_lt(self->signature_count, HEARD);
    cr_assert(is_receiver(packet->destination) && packet->tag < 2 && packet->flow == 0 && packet->argument == 0);
    cr_assert_eq(packet->body_bytes, sizeof(uint64_t));
    self->signatures[self->signature_count++] = (signed_words){.receiver = packet->destination,
                                                               .set = (uint32_t)packet->tag,
                                                               .wire_bytes = packet->wire_bytes,
                                                               .bits = *(const uint64_t *)hd_body_const(packet),
                                                               .t = t};
}

static void keep(bench *self, kit_block *kit, const hd_packet *packet, hd_time t)
{
    cr_assert_lt(self->heard_count, HEARD);
    cr_expect_eq(packet->destination, CORE);
    cr_expect_eq(packet->traffic_class, HD_CLASS_TRANSACTION);
    cr_expect_eq(packet->argument, 0, "partition");
    heard *heard = &self->heard[self->heard_count++];
    *heard = (struct heard){.message = packet->message,
                            .warp = packet->flow,
                            .epoch = packet->epoch,
                            .wire_bytes = packet->wire_bytes,
                            .t = t};
    if (packet->message == kit_message(kit, HD_KILO_RESEND))
        memcpy(&heard->resend, hd_body_const(packet), sizeof heard->resend);
    else
        memcpy(&heard->lanes, hd_body_const(packet), sizeof heard->lanes);
}

/* Everything from `from` on, a word a packet. */
static void resend(bench *self, const hd_kilo_resend *asked, hd_time t)
{
    const uint32_t count = asked->is_write_set ? self->resent.write_count : self->resent.read_count;
    for (uint32_t i = asked->from; i < count; i++) {
        const hd_kilo_word word = {.address = AT(asked->is_write_set ? self->resent.writes[i] : self->resent.reads[i]),
                                   .value =
                                       asked->is_write_set ? self->resent.write_values[i] : self->resent.read_values[i],
                                   .lane = (uint8_t)asked->lane,
                                   .byte_mask = 15};
        send_words(self, asked->is_write_set ? HD_KILO_WRITE_SET : HD_KILO_READ_SET, asked->group, &word, 1, 1, t);
    }
    send_lanes(self, HD_KILO_RESENT, asked->group, UINT64_C(1) << asked->lane, 0, t);
}

static void answer(bench *self, kit_block *kit, const hd_packet *packet, hd_time t)
{
    const uint32_t is_store = packet->message == kit_message(kit, HD_GLOBAL_STORE);
    const uint32_t first = (uint32_t)(packet->address - AT(0)) / 4, words = packet->argument / 4;
    hd_packet *reply =
        kit_packet(kit, is_store ? HD_GLOBAL_STORE_ACK : HD_GLOBAL_LOAD_REPLY, is_store ? 0 : packet->argument);
    cr_assert_leq(first + words, WORDS);
    cr_assert_lt(self->access_count, HEARD);
    cr_expect(packet->epoch && packet->traffic_class == HD_CLASS_TRANSACTION);
    accessed *access = &self->accesses[self->access_count++];
    *access = (accessed){.is_store = is_store, .address = packet->address, .bytes = packet->argument, .t = t};
    reply->tag = packet->tag;
    reply->argument = packet->argument;
    if (is_store) {
        const hd_store *store = hd_body_const(packet);
        memcpy(access->mask, store->byte_mask, sizeof access->mask);
        for (uint32_t i = 0; i < packet->argument; i++)
            if (store->byte_mask[i / 32] >> i % 32 & 1)
                ((uint8_t *)&self->memory[first])[i] = hd_store_data_const(store)[i];
    } else {
        memcpy(hd_body(reply), &self->memory[first], packet->argument);
    }
    const uint32_t is_slow = self->slow && packet->address == self->slow_address;
    kit_send(kit, PORT_ACCESSED, 0, reply, t + (is_slow ? self->slow : SLICE_DELAY) * CYCLE);
}

static uint32_t take(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    bench *self = context;
    (void)element;
    if (port == PORT_ROOM)
        return 0;
    if (port == PORT_ACCESS) {
        answer(self, kit, packet, t);
    } else {
        if (packet->message == kit_message(kit, HD_KILO_ENTER) || packet->message == kit_message(kit, HD_KILO_LEAVE))
            note_told(self, packet->message == kit_message(kit, HD_KILO_ENTER), packet, t);
        else if (packet->message == kit_message(kit, HD_KILO_SIGNATURE))
            note_signature(self, packet, t);
        else
            keep(self, kit, packet, t);
        if (packet->message == kit_message(kit, HD_KILO_RESEND))
            resend(self, hd_body_const(packet), t);
    }
    kit_free(kit, packet);
    return 1;
}

bench *bench_make_with(uint32_t port, const char *const *parameters)
{
    bench *self = calloc(1, sizeof *self);
    static const hd_receivers receivers = {NULL, next_receiver};
    self->kit = kit_create(&hd_commit_unit_kilo, parameters);
    kit_provide(self->kit, HD_EXTENSION_RECEIVERS, &receivers);
    for (uint32_t i = 0; i <= PORT_ACCESSED; i++)
        kit_connect(self->kit, i, 0, 1, 64);
    if (port != PORT_COUNT)
        kit_connect(self->kit, port, 0, 1, 8);
    kit_respond(self->kit, take, self);
    kit_record(self->kit);
    kit_start(self->kit);
    return self;
}

bench *bench_make(const char *const *parameters)
{
    return bench_make_with(PORT_COUNT, parameters);
}

void bench_destroy(bench *self)
{
    kit_destroy(self->kit);
    free(self);
}

hd_time now(bench *self)
{
    return kit_now(self->kit);
}

void settle(bench *self)
{
    kit_run_until(self->kit, now(self) + 2000 * CYCLE);
}

hd_kilo_group group_of(uint64_t first, uint32_t size)
{
    return (hd_kilo_group){first, (UINT64_C(1) << size) - 1};
}

static hd_packet *packet_of(bench *self, const char *message, hd_kilo_group group, uint32_t body_bytes)
{
    hd_packet *packet = kit_packet(self->kit, message, body_bytes);
    packet->source = CORE;
    packet->flow = (uint32_t)group.first;
    packet->epoch = 1 + (uint32_t)(group.first % 255);
    return packet;
}

void send_words(bench *self, const char *message, hd_kilo_group group, const hd_kilo_word *words, uint32_t count,
                uint32_t resent, hd_time t)
{
    const uint32_t bytes = (uint32_t)(sizeof(hd_kilo_log) + count * sizeof *words);
    hd_packet *packet = packet_of(self, message, group, bytes);
    hd_kilo_log *log = hd_body(packet);
    *log = (hd_kilo_log){.group = group, .resent = resent};
    memcpy(log + 1, words, count * sizeof *words);
    packet->argument = count;
    packet->wire_bytes += HD_KILO_WORD_WIRE_BYTES * count;
    kit_send(self->kit, PORT_REQUEST, 0, packet, t);
}

void send_read(bench *self, uint64_t id, uint32_t word, uint32_t value, hd_time t)
{
    const hd_kilo_word sent = {.address = AT(word), .value = value, .byte_mask = 15};
    send_words(self, HD_KILO_READ_SET, group_of(id, 1), &sent, 1, 0, t);
}

void send_write(bench *self, uint64_t id, uint32_t word, uint32_t value, hd_time t)
{
    const hd_kilo_word sent = {.address = AT(word), .value = value, .byte_mask = 15};
    send_words(self, HD_KILO_WRITE_SET, group_of(id, 1), &sent, 1, 0, t);
}

void send_lanes(bench *self, const char *message, hd_kilo_group group, uint64_t lanes, uint64_t marked, hd_time t)
{
    hd_packet *packet = packet_of(self, message, group, (uint32_t)sizeof(hd_kilo_lanes));
    *(hd_kilo_lanes *)hd_body(packet) = (hd_kilo_lanes){group, lanes, marked};
    kit_send(self->kit, PORT_REQUEST, 0, packet, t);
}

void send_done(bench *self, uint64_t id, hd_time t)
{
    send_lanes(self, HD_KILO_DONE_SKIP, group_of(id, 1), 1, 1, t);
}

void send_skip(bench *self, uint64_t id, hd_time t)
{
    send_lanes(self, HD_KILO_DONE_SKIP, group_of(id, 1), 1, 0, t);
}

void send_outcome(bench *self, uint64_t id, uint32_t commits, hd_time t)
{
    send_lanes(self, HD_KILO_OUTCOME, group_of(id, 1), 1, commits, t);
}

const heard *find(bench *self, const char *message, uint64_t id)
{
    for (uint32_t i = 0; i < self->heard_count; i++) {
        const heard *heard = &self->heard[i];
        for (uint64_t left = heard->lanes.lanes; left; left &= left - 1)
            if (heard->message == kit_message(self->kit, message) &&
                hd_kilo_id(&heard->lanes.group, (uint32_t)__builtin_ctzll(left)) == id)
                return heard;
    }
    return NULL;
}

int verdict_on(bench *self, uint64_t id)
{
    const heard *heard = find(self, HD_KILO_VERDICT, id);
    if (!heard)
        return -1;
    for (uint64_t left = heard->lanes.marked; left; left &= left - 1)
        if (hd_kilo_id(&heard->lanes.group, (uint32_t)__builtin_ctzll(left)) == id)
            return 1;
    return 0;
}

uint32_t count_heard(bench *self, const char *message)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->heard_count; i++)
        count += self->heard[i].message == kit_message(self->kit, message);
    return count;
}

uint32_t is_idle(bench *self)
{
    const hd_pending *pending = hd_commit_unit_kilo.extension(kit_instance(self->kit), HD_EXTENSION_PENDING);
    return !pending->has_work(kit_instance(self->kit));
}
