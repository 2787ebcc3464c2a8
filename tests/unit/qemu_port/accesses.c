/* SPDX-License-Identifier: MIT */
/* Accesses either way. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hd_memory.h"
#include "peer.h"

static hd_packet *read_of(kit_block *kit, uint64_t address, uint32_t bytes)
{
    hd_packet *packet = kit_packet(kit, HD_MEMORY_READ, 0);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = 77;
    return packet;
}

/* enables: one letter each, 'x' where the byte is written; NULL: all are. */
static hd_packet *write_of(kit_block *kit, const char *data, const char *enables)
{
    const uint32_t bytes = (uint32_t)strlen(data);
    hd_packet *packet = kit_packet(kit, HD_MEMORY_WRITE, enables ? 2 * bytes : bytes);
    uint8_t *body = hd_body(packet);
    packet->address = 0x1000;
    packet->argument = bytes;
    memcpy(body, data, bytes);
    for (uint32_t i = 0; enables && i < bytes; i++)
        body[bytes + i] = enables[i] == 'x' ? 0xFF : 0;
    return packet;
}

static void expect_answer(kit_block *kit, hd_time at, uint32_t status, const char *data)
{
    hd_packet *answer = kit_receive(kit, PORT_ACCESS, 0, 100 * CYCLE);
    cr_assert(answer);
    cr_expect_eq(kit_received_at(kit), at, "%llu", (unsigned long long)kit_received_at(kit));
    cr_expect_eq(answer->argument, status);
    cr_expect_eq(answer->body_bytes, strlen(data));
    cr_expect_arr_eq(hd_body(answer), data, strlen(data));
    kit_free(kit, answer);
}

/* ---- The machine accesses the peer ----------------------------------------------------------------------------------- */

static void answer_a_read(peer *self)
{
    const rp_packet *read = peer_expect_behind_syncs(self, RP_READ, 0);
    cr_expect_eq(read->device, DEVICE_ACCESS);
    cr_expect_eq(read->time, 5);
    cr_expect_eq(read->address, 0x1000);
    cr_expect_eq(read->length, 4);
    cr_expect_eq(read->stream_width, 4);
    cr_expect_eq(read->attributes, peer_packet_form(self));
    peer_respond(self, 12, RP_OK, "abcd");
    peer_only_syncs(self);
}

static void read_as(uint32_t capabilities)
{
    peer self = {.major = 4, .capabilities = capabilities};
    kit_block *kit = peer_begin(&self, answer_a_read, BIT(PORT_ACCESS), "quantum=1 us");
    hd_packet *read = read_of(kit, 0x1000, 4);
    kit_send(kit, PORT_ACCESS, 0, read, 5 * CYCLE);
    expect_answer(kit, 13 * CYCLE, HD_STATUS_OK, "abcd");
    cr_expect_eq(kit_statistic(kit, "requests"), 1);
    cr_expect_eq(kit_statistic(kit, "refused"), 0);
    peer_end(&self, kit);
}

Test(qemu_accesses, an_answer_comes_when_the_peer_says_in_either_form)
{
    read_as(0);
    read_as(RP_OUR_CAPABILITIES);
}

static void refuse_a_read(peer *self)
{
    peer_expect_behind_syncs(self, RP_READ, 0);
    peer_respond(self, 0, self->capabilities ? RP_ADDRESS_ERROR : RP_GENERIC_ERROR, NULL);
    peer_only_syncs(self);
}

Test(qemu_accesses, what_the_peer_refuses_is_refused)
{
    for (uint32_t is_address = 0; is_address < 2; is_address++) {
        peer self = {.major = 4, .capabilities = is_address << RP_CAN_EXTEND};
        kit_block *kit = peer_begin(&self, refuse_a_read, BIT(PORT_ACCESS), "quantum=1 us");
        kit_send(kit, PORT_ACCESS, 0, read_of(kit, 0x1000, 4), 5 * CYCLE);
        expect_answer(kit, 6 * CYCLE, is_address ? HD_STATUS_ADDRESS_ERROR : HD_STATUS_GENERIC_ERROR, "");
        cr_expect_eq(kit_statistic(kit, "refused"), 1);
        peer_end(&self, kit);
    }
}

static void take_runs(peer *self)
{
    static const struct {
        uint64_t address;
        const char *data;
    } runs[] = {{0x1001, "bc"}, {0x1004, "e"}, {0x1007, "h"}};
    for (size_t i = 0; i < 3; i++) {
        const rp_packet *write = peer_expect_behind_syncs(self, RP_WRITE, 0);
        cr_expect_eq(write->address, runs[i].address);
        cr_expect_eq(write->length, strlen(runs[i].data));
        cr_expect_arr_eq(write->data, runs[i].data, write->length);
        cr_expect_eq(write->enable_bytes, 0);
        peer_respond(self, write->time + (i == 1 ? 9 : 2), RP_OK, NULL);
    }
    peer_only_syncs(self);
}

static void take_enables(peer *self)
{
    static const uint8_t enables[] = {0, 0xFF, 0xFF, 0, 0xFF, 0, 0, 0xFF};
    const rp_packet *write = peer_expect_behind_syncs(self, RP_WRITE, 0);
    cr_expect_eq(write->address, 0x1000);
    cr_expect_arr_eq(write->data, "abcdefgh", 8);
    cr_expect_eq(write->enable_bytes, 8);
    cr_expect_arr_eq(write->enables, enables, 8);
    peer_respond(self, write->time + 9, RP_OK, NULL);
    peer_only_syncs(self);
}

/* A peer that knows none gets the runs between, and the slowest says when all is done. */
Test(qemu_accesses, byte_enables_are_for_who_knows_them)
{
    for (uint32_t knows = 0; knows < 2; knows++) {
        peer self = {.major = 4, .capabilities = 1u << RP_CAN_EXTEND | knows << RP_CAN_ENABLE};
        kit_block *kit = peer_begin(&self, knows ? take_enables : take_runs, BIT(PORT_ACCESS), "quantum=1 us");
        kit_send(kit, PORT_ACCESS, 0, write_of(kit, "abcdefgh", ".xx.x..x"), 5 * CYCLE);
        expect_answer(kit, 15 * CYCLE, HD_STATUS_OK, "");
        peer_end(&self, kit);
    }
}

Test(qemu_accesses, what_is_no_request_or_writes_nothing_is_answered_here)
{
    peer self = {.major = 4};
    kit_block *kit = peer_begin(&self, peer_only_syncs, BIT(PORT_ACCESS), "quantum=1 us");
    kit_send(kit, PORT_ACCESS, 0, read_of(kit, 0, 0), 0);
    expect_answer(kit, 1 * CYCLE, HD_STATUS_BURST_ERROR, "");
    kit_send(kit, PORT_ACCESS, 0, write_of(kit, "abcd", "...."), 200 * CYCLE);
    hd_packet *answer = kit_receive(kit, PORT_ACCESS, 0, 300 * CYCLE);
    cr_assert(answer);
    cr_expect_eq(answer->argument, HD_STATUS_OK);
    kit_free(kit, answer);
    peer_end(&self, kit);
}

static void serve_untimed(peer *self)
{
    const rp_packet raise = {.command = RP_INTERRUPT, .flags = RP_POSTED, .device = DEVICE_INTERRUPT, .level = 1};
    const rp_packet *write = peer_expect_behind_syncs(self, RP_WRITE, 0);
    cr_expect_arr_eq(write->data, "12345678", 8);
    peer_say(self, &raise); /* keeps until there is time */
    peer_respond(self, 1000000, RP_OK, NULL);
    peer_expect_behind_syncs(self, RP_READ, 0);
    peer_respond(self, 0, RP_OK, "87654321");
    peer_expect_behind_syncs(self, RP_READ, 0);
    peer_respond(self, 0, RP_ADDRESS_ERROR, NULL);
    peer_only_syncs(self);
}

Test(qemu_accesses, what_takes_no_time_is_answered_at_once)
{
    peer self = {.major = 4};
    uint8_t bytes[8] = "12345678";
    kit_block *kit = peer_begin(&self, serve_untimed, BIT(PORT_ACCESS) | BIT(PORT_INTERRUPT), "quantum=1 us");
    cr_expect_eq(kit_debug_write(kit, 0x40, bytes, 8), 8);
    cr_expect_eq(kit_debug_read(kit, 0x40, bytes, 8), 8);
    cr_expect_arr_eq(bytes, "87654321", 8);
    cr_expect_eq(kit_debug_read(kit, 0x4000, bytes, 8), 0);
    hd_packet *event = kit_receive(kit, PORT_INTERRUPT, 0, 10 * CYCLE);
    cr_expect(event);
    kit_free(kit, event);
    peer_end(&self, kit);
}

/* ---- The peer accesses the machine ----------------------------------------------------------------------------------- */

/* A memory of the kit, whose bytes are the low bytes of their addresses, and that refuses address 0xBAD0. */
static uint32_t answer(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    hd_packet **last = context;
    const uint32_t is_read = packet->message == kit_message(kit, HD_MEMORY_READ);
    hd_packet *response = kit_packet(kit, HD_MEMORY_RESPONSE, is_read ? packet->argument : 0);
    if (port != PORT_MEMORY)
        return 0;
    response->tag = packet->tag;
    response->argument = packet->address == 0xBAD0 ? HD_STATUS_ADDRESS_ERROR : HD_STATUS_OK;
    for (uint32_t i = 0; i < response->body_bytes; i++)
        ((uint8_t *)hd_body(response))[i] = (uint8_t)(packet->address + i);
    kit_send(kit, port, element, response, t + 10 * CYCLE);
    if (!*last) {
        *last = packet;
        return 1;
    }
    return 0;
}

static void access_the_machine(peer *self)
{
    rp_packet access = {
        .command = RP_READ, .id = 3, .device = DEVICE_MEMORY, .address = 0x100, .length = 4, .stream_width = 4};
    const rp_packet *response;
    peer_say(self, &access);
    response = peer_expect_behind_syncs(self, RP_READ, RP_RESPONSE);
    cr_expect_eq(response->id, 3);
    cr_expect_eq(response->device, DEVICE_MEMORY);
    cr_expect_eq(rp_status(response), RP_OK);
    cr_expect_arr_eq(response->data, "\0\1\2\3", 4);
    access.length = access.stream_width = 3000;
    peer_say(self, &access);
    response = peer_expect_behind_syncs(self, RP_READ, RP_RESPONSE);
    cr_expect_eq(response->data_bytes, 3000);
    for (uint32_t i = 0; i < 3000; i++)
        cr_assert_eq(response->data[i], (uint8_t)i, "in pieces, each at its place");
    access.address = 0xBAD0;
    access.length = access.stream_width = 4;
    peer_say(self, &access);
    cr_expect_eq(rp_status(peer_expect_behind_syncs(self, RP_READ, RP_RESPONSE)), RP_ADDRESS_ERROR);
    access.stream_width = 2;
    peer_say(self, &access);
    cr_expect_eq(rp_status(peer_expect_behind_syncs(self, RP_READ, RP_RESPONSE)), RP_GENERIC_ERROR, "it repeats");
    access.device = 55;
    peer_say(self, &access);
    cr_expect_eq(rp_status(peer_expect_behind_syncs(self, RP_READ, RP_RESPONSE)), RP_ADDRESS_ERROR, "nobody's");
    peer_only_syncs(self);
}

Test(qemu_accesses, the_peer_gets_what_the_machine_says)
{
    peer self = {.major = 4, .capabilities = RP_OUR_CAPABILITIES};
    hd_packet *first = NULL;
    kit_block *kit = peer_begin(&self, access_the_machine, BIT(PORT_MEMORY), "quantum=10 ns");
    kit_respond(kit, answer, &first);
    kit_run_until(kit, 300 * CYCLE);
    cr_assert(first);
    cr_expect_eq(first->address, 0x100);
    cr_expect_eq(first->argument, 4);
    cr_expect_eq(kit_statistic(kit, "peer_requests"), 5);
    cr_expect_eq(kit_statistic(kit, "peer_refused"), 3);
    cr_expect_eq(kit_statistic(kit, "strays"), 1);
    kit_free(kit, first);
    peer_end(&self, kit);
}

static void write_masked(peer *self)
{
    rp_packet write = {.command = RP_WRITE,
                       .flags = RP_POSTED,
                       .device = DEVICE_MEMORY,
                       .attributes = RP_EXTENDED,
                       .address = 0x200,
                       .length = 4,
                       .stream_width = 4,
                       .data_bytes = 4,
                       .data = "wxyz",
                       .enable_bytes = 2,
                       .enables = {0xFF, 0}};
    peer_say(self, &write);
    write.flags = 0;
    write.address += 0x10;
    peer_say(self, &write);
    peer_expect_behind_syncs(self, RP_WRITE, RP_RESPONSE);
    cr_expect_eq(self->packet.address, 0x210, "the posted one has no response");
    peer_only_syncs(self);
}

Test(qemu_accesses, a_pattern_of_byte_enables_repeats_and_a_posted_write_has_no_response)
{
    static const uint8_t enables[] = {0xFF, 0, 0xFF, 0};
    peer self = {.major = 4, .capabilities = RP_OUR_CAPABILITIES};
    hd_packet *first = NULL;
    kit_block *kit = peer_begin(&self, write_masked, BIT(PORT_MEMORY), "quantum=10 ns");
    kit_respond(kit, answer, &first);
    kit_run_until(kit, 100 * CYCLE);
    cr_assert(first);
    cr_expect_eq(first->address, 0x200);
    cr_expect_arr_eq(hd_body(first), "wxyz", 4);
    cr_expect_arr_eq((uint8_t *)hd_body(first) + 4, enables, 4);
    cr_expect_eq(hd_memory_check_enables(first), HD_STATUS_OK);
    cr_expect_eq(kit_statistic(kit, "peer_requests"), 2);
    kit_free(kit, first);
    peer_end(&self, kit);
}

/* What it is asked for depends on what it asks for. */
static void read_before_answering(peer *self)
{
    const rp_packet own = {
        .command = RP_READ, .id = 9, .device = DEVICE_MEMORY, .address = 0x331, .length = 4, .stream_width = 4};
    peer_expect_behind_syncs(self, RP_READ, 0);
    const rp_packet asked = self->packet;
    peer_say(self, &own);
    peer_expect_behind_syncs(self, RP_READ, RP_RESPONSE);
    uint8_t data[4];
    memcpy(data, self->packet.data, 4);
    self->packet = asked;
    peer_respond(self, asked.time, RP_OK, data);
    peer_only_syncs(self);
}

Test(qemu_accesses, a_peer_may_ask_before_it_answers)
{
    peer self = {.major = 4, .capabilities = RP_OUR_CAPABILITIES};
    hd_packet *first = NULL;
    kit_block *kit = peer_begin(&self, read_before_answering, BIT(PORT_ACCESS) | BIT(PORT_MEMORY), "quantum=1 us");
    kit_respond(kit, answer, &first);
    kit_send(kit, PORT_ACCESS, 0, read_of(kit, 0x1000, 4), 5 * CYCLE);
    expect_answer(kit, 17 * CYCLE, HD_STATUS_OK, "1234");
    kit_free(kit, first);
    peer_end(&self, kit);
}

/* ---- Addresses ------------------------------------------------------------------------------------------------------- */

static void expect_other_addresses(peer *self)
{
    rp_packet read = {
        .command = RP_READ, .device = DEVICE_MEMORY, .address = 0xA0000010, .length = 4, .stream_width = 4};
    cr_expect_eq(peer_expect_behind_syncs(self, RP_READ, 0)->address, 0x30);
    peer_respond(self, 0, RP_OK, "abcd");
    peer_say(self, &read);
    cr_expect_eq(peer_expect_behind_syncs(self, RP_READ, RP_RESPONSE)->address, 0xA0000010);
    peer_only_syncs(self);
}

Test(qemu_accesses, either_side_has_its_own_addresses)
{
    peer self = {.major = 4};
    hd_packet *first = NULL;
    strcpy(self.more[0], "access.machine=0x18040000000");
    strcpy(self.more[1], "memory.machine=0x10000000000");
    strcpy(self.more[2], "memory.peer=0xA0000000");
    kit_block *kit = peer_begin(&self, expect_other_addresses, BIT(PORT_ACCESS) | BIT(PORT_MEMORY), "quantum=10 ns");
    kit_respond(kit, answer, &first);
    kit_send(kit, PORT_ACCESS, 0, read_of(kit, 0x18040000030, 4), 5 * CYCLE);
    kit_run_until(kit, 100 * CYCLE);
    cr_assert(first);
    cr_expect_eq(first->address, 0x10000000010);
    kit_free(kit, first);
    peer_end(&self, kit);
}

/* ---- What it owes ----------------------------------------------------------------------------------------------------- */

static void keep_line(void *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context, 256, format, arguments);
    va_end(arguments);
}

/* It wants something itself before it answers, and nobody answers that. */
static void ask_instead_of_answering(peer *self)
{
    const rp_packet ask = {
        .command = RP_READ, .device = DEVICE_MEMORY, .address = 0x40, .length = 4, .stream_width = 4};
    peer_expect_behind_syncs(self, RP_READ, 0);
    peer_say(self, &ask);
    while (heddle_remote_fetch(&self->remote, heddle_remote_deadline(&self->remote), "wait") > 0)
        self->remote.count = 0;
}

Test(qemu_accesses, what_the_peer_owes_is_pending)
{
    peer self = {.major = 4};
    char line[256] = "", text[256];
    const hd_text_sink sink = {.context = line, .line = keep_line};
    kit_block *kit =
        peer_begin(&self, ask_instead_of_answering, BIT(PORT_ACCESS) | BIT(PORT_MEMORY), "quantum=20 ns");
    const hd_pending *pending = hd_qemu_port_device.extension(kit_instance(kit), HD_EXTENSION_PENDING);
    cr_expect_not(pending->has_work(kit_instance(kit)));
    hd_packet *read = kit_packet(kit, HD_MEMORY_READ, 0);
    read->argument = 4;
    read->address = 0x1000;
    kit_send(kit, PORT_ACCESS, 0, read, 5 * CYCLE);
    hd_packet *asked = kit_receive(kit, PORT_MEMORY, 0, 50 * CYCLE);
    cr_assert(asked);
    cr_expect(pending->has_work(kit_instance(kit)));
    pending->describe(kit_instance(kit), &sink);
    snprintf(text, sizeof text, "the peer at %s owes an answer to a read of 4 bytes at 0x1000 since 5 ns",
             self.address);
    cr_expect_str_eq(line, text);
    kit_free(kit, asked);
    peer_end(&self, kit);
}
