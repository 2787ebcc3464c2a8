/* SPDX-License-Identifier: MIT */
/* What a peer must not do. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "peer.h"

static void send_raw(peer *self, const char *bytes, size_t count)
{
    heddle_remote_send_bytes(&self->remote, bytes, count);
}

/* Until the port has gone. */
static void stay(peer *self)
{
    char byte;
    while (read(self->remote.socket, &byte, 1) == 1 || usleep(1000) == 0)
        if (heddle_remote_fetch(&self->remote, 0, "") == 0)
            return;
}

static void greet_again(peer *self)
{
    const rp_packet hello = {.command = RP_HELLO, .major = 4};
    peer_say(self, &hello);
    stay(self);
}

static void answer_nobody(peer *self)
{
    const rp_packet response = {.command = RP_READ, .id = 1234, .flags = RP_RESPONSE};
    peer_say(self, &response);
    stay(self);
}

static void answer_another(peer *self)
{
    peer_expect_behind_syncs(self, RP_READ, 0);
    self->packet.id++;
    peer_respond(self, 0, RP_OK, "abcd");
    stay(self);
}

static void answer_too_few(peer *self)
{
    peer_expect_behind_syncs(self, RP_READ, 0);
    self->packet.length = 3;
    peer_respond(self, 0, RP_OK, "abc");
    stay(self);
}

static void close_before_answering(peer *self)
{
    peer_expect_behind_syncs(self, RP_READ, 0);
}

static void leave(peer *self)
{
    (void)self;
}

static void end_within_a_packet(peer *self)
{
    send_raw(self, "\0\0\0\6\0\0", 6);
}

static void babble(peer *self)
{
    send_raw(self, "what is this, and this, and all the rest?", 41);
    stay(self);
}

static void say_nothing(peer *self)
{
    peer_expect_behind_syncs(self, RP_READ, 0);
    stay(self);
}

static void trickle(peer *self)
{
    peer_expect_behind_syncs(self, RP_READ, 0);
    while (!heddle_remote_send_bytes(&self->remote, "", 1))
        usleep(200000);
}

/* Answers for what it is not asked for, and never for what it is. */
static void chatter(peer *self)
{
    const rp_packet raise = {.command = RP_INTERRUPT, .device = DEVICE_INTERRUPT, .line = 1};
    uint8_t bytes[RP_EXTENDED_BYTES];
    const size_t count = rp_encode(&raise, bytes);
    peer_expect_behind_syncs(self, RP_READ, 0);
    while (!heddle_remote_send_bytes(&self->remote, bytes, count))
        usleep(100000);
}

static void flood_with(peer *self, const rp_packet *packet)
{
    uint8_t bytes[RP_EXTENDED_BYTES];
    const size_t count = rp_encode(packet, bytes);
    while (!heddle_remote_send_bytes(&self->remote, bytes, count))
        continue;
}

static void flood(peer *self)
{
    flood_with(self, &(rp_packet){.command = RP_NOP});
}

/* Each of them takes time. */
static void flood_a_line(peer *self)
{
    peer_expect_behind_syncs(self, RP_READ, 0);
    flood_with(self, &(rp_packet){.command = RP_INTERRUPT, .flags = RP_POSTED, .device = DEVICE_INTERRUPT, .level = 1});
}

static void greet_late(peer *self)
{
    const rp_packet sync = {.command = RP_SYNC};
    peer_say(self, &sync);
    stay(self);
}

static void expect_fault(uint32_t major, void (*act)(peer *self), const char *setting, const char *text)
{
    peer self = {.major = major, .capabilities = 1u << RP_CAN_ANSWER_WIRES};
    kit_block *kit = peer_begin(&self, act, BIT(PORT_ACCESS) | BIT(PORT_INTERRUPT), setting);
    hd_packet *read = kit_packet(kit, HD_MEMORY_READ, 0);
    read->argument = 4;
    read->address = 0x1000;
    kit_expect_fault(kit);
    kit_send(kit, PORT_ACCESS, 0, read, 5 * CYCLE);
    kit_run_until(kit, 100 * CYCLE);
    cr_expect(strstr(kit_fault_text(kit), text), "%s", kit_fault_text(kit));
    peer_end(&self, kit);
}

#define UNANSWERED "; a read of 4 bytes at 0x1000 is unanswered"

Test(qemu_faults, what_the_peer_must_not_do_is_a_fault)
{
    expect_fault(4, greet_again, "quantum=20 ns", "the other side sends a HELLO in the middle");
    expect_fault(4, answer_nobody, "quantum=20 ns", "the other side answers what nobody has asked");
    expect_fault(4, answer_another, "quantum=20 ns", "the other side answers what nobody has asked" UNANSWERED);
    expect_fault(4, answer_too_few, "quantum=20 ns",
                 "answers with more or fewer bytes than it was asked for" UNANSWERED);
    expect_fault(4, close_before_answering, "quantum=20 ns", "the other side has closed the connection" UNANSWERED);
    expect_fault(4, end_within_a_packet, "quantum=20 ns", "the other side has closed the connection within a packet");
    expect_fault(4, babble, "quantum=20 ns", "what the other side has sent is no packet: ");
    expect_fault(0, greet_late, "quantum=20 ns", "the first packet of the other side is no HELLO");
    expect_fault(0, leave, "quantum=20 ns", "the other side has closed the connection before its HELLO");
    expect_fault(5, stay, "quantum=20 ns",
                 "the other side speaks version 5.3 of the protocol, this one speaks version 4.3");
}

Test(qemu_faults, a_peer_that_lets_time_stand_still_is_given_up, .timeout = 60)
{
    expect_fault(4, say_nothing, "quantum=20 ns", "the other side has not answered within 2 s" UNANSWERED);
    expect_fault(4, trickle, "quantum=20 ns", "the other side has not answered within 2 s" UNANSWERED);
    expect_fault(4, chatter, "quantum=20 ns", "the other side has not answered within 2 s" UNANSWERED);
    expect_fault(0, stay, "quantum=20 ns", "the other side has sent no HELLO within 2 s");
    expect_fault(4, stay, "quantum=0 s", "the other side has not let time go on within 2 s");
    expect_fault(4, flood, "quantum=0 s", "the other side has sent 10000 packets, and lets no time go by");
}

static uint32_t take_event(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    (void)context, (void)element, (void)t;
    if (port == PORT_INTERRUPT)
        kit_free(kit, packet);
    return port == PORT_INTERRUPT;
}

Test(qemu_faults, a_peer_that_talks_instead_of_answering_is_given_up_though_time_goes_on, .timeout = 60)
{
    peer self = {.major = 4};
    kit_block *kit = peer_begin(&self, flood_a_line, BIT(PORT_ACCESS) | BIT(PORT_INTERRUPT), "quantum=20 ns");
    hd_packet *read = kit_packet(kit, HD_MEMORY_READ, 0);
    read->argument = 4;
    read->address = 0x1000;
    kit_respond(kit, take_event, NULL);
    kit_expect_fault(kit);
    kit_send(kit, PORT_ACCESS, 0, read, 5 * CYCLE);
    kit_run_until(kit, UINT64_C(1000000000) * CYCLE);
    cr_expect(strstr(kit_fault_text(kit), "the other side has not answered within 2 s" UNANSWERED), "%s",
              kit_fault_text(kit));
    peer_end(&self, kit);
}

/* Each time within the timeout, and longer in all. */
static void ask_slowly_before_answering(peer *self)
{
    const rp_packet ask[] = {
        {.command = RP_READ, .device = DEVICE_MEMORY, .address = 0x40, .length = 4, .stream_width = 4},
        {.command = RP_SYNC},
    };
    peer_expect_behind_syncs(self, RP_READ, 0);
    const rp_packet read = self->packet;
    for (uint32_t i = 0; i < 3; i++) {
        usleep(800000);
        peer_say(self, &ask[self->asks_syncs]);
        peer_expect(self, ask[self->asks_syncs].command, RP_RESPONSE);
    }
    self->packet = read;
    peer_respond(self, 0, RP_OK, "abcd");
    peer_only_syncs(self);
}

static void expect_patience(int asks_syncs)
{
    peer self = {.major = 4, .asks_syncs = asks_syncs};
    kit_block *kit = peer_begin(&self, ask_slowly_before_answering, BIT(PORT_ACCESS), "quantum=20 ns");
    hd_packet *read = kit_packet(kit, HD_MEMORY_READ, 0);
    read->argument = 4;
    kit_send(kit, PORT_ACCESS, 0, read, 5 * CYCLE);
    hd_packet *response = kit_receive(kit, PORT_ACCESS, 0, 100 * CYCLE);
    cr_assert(response);
    kit_free(kit, response);
    peer_end(&self, kit);
}

Test(qemu_faults, a_peer_that_has_been_answered_has_its_time_again, .timeout = 60)
{
    expect_patience(0);
    expect_patience(1);
}

static void speak_of_the_end(peer *self)
{
    const rp_packet sync = {.command = RP_SYNC, .time = UINT64_MAX};
    peer_say(self, &sync);
    stay(self);
}

static void answer_at_the_end(peer *self)
{
    peer_expect_behind_syncs(self, RP_READ, 0);
    peer_respond(self, UINT64_MAX, RP_OK, "abcd");
    stay(self);
}

/* Nanoseconds, as picoseconds just below the end. */
static void answer_near_the_end(peer *self)
{
    peer_expect_behind_syncs(self, RP_READ, 0);
    peer_respond(self, UINT64_MAX / 1000 - 1, RP_OK, "abcd");
    stay(self);
}

static void speak_near_the_end(peer *self)
{
    const rp_packet sync = {.command = RP_SYNC, .time = UINT64_MAX / 1000 - 2};
    peer_say(self, &sync);
    stay(self);
}

Test(qemu_faults, a_time_that_does_not_come)
{
    expect_fault(4, speak_near_the_end, "quantum=0 s", "says something of a time that never comes");
    expect_fault(4, answer_at_the_end, "quantum=20 ns", "says something of a time that never comes" UNANSWERED);
    expect_fault(4, answer_near_the_end, "quantum=20 ns", "says something of a time that never comes" UNANSWERED);
    expect_fault(4, speak_of_the_end, "quantum=0 s", "says something of a time that never comes");
}

static void ignore_what_takes_no_time(peer *self)
{
    peer_expect(self, RP_READ, 0);
    stay(self);
}

Test(qemu_faults, an_unanswered_access_without_time_is_named)
{
    peer self = {.major = 4};
    uint8_t bytes[8];
    kit_block *kit = peer_begin(&self, ignore_what_takes_no_time, BIT(PORT_ACCESS), "quantum=20 ns");
    kit_expect_fault(kit);
    cr_expect_eq(kit_debug_read(kit, 0x40, bytes, 8), 0);
    cr_expect(strstr(kit_fault_text(kit), "not answered within 2 s; an untimed read of 8 bytes at 0x40 is unanswered"),
              "%s", kit_fault_text(kit));
    peer_end(&self, kit);
}

/* ---- Nobody is waited for ------------------------------------------------------------------------------------------- */

static uint32_t is_requested(void *context)
{
    (void)context;
    return 1;
}

static void expect_interrupted(const char *role, const char *behind_address)
{
    char text[128];
    static const hd_interruption interruption = {.is_requested = is_requested};
    char address[64];
    snprintf(address, sizeof address, "address=unix:/tmp/qemu_port_%d", (int)getpid());
    kit_block *kit = kit_create(&hd_qemu_port_device, (const char *[]){address, "timeout=600 s", role, NULL});
    kit_provide(kit, HD_EXTENSION_INTERRUPTION, &interruption);
    kit_expect_fault(kit);
    kit_start(kit);
    kit_run_until(kit, 100 * CYCLE);
    snprintf(text, sizeof text, "%s%s", strchr(address, '=') + 1, behind_address);
    cr_expect_str_eq(kit_fault_text(kit), text);
    kit_destroy(kit);
}

Test(qemu_faults, a_run_that_is_to_end_waits_for_nobody, .timeout = 60)
{
    expect_interrupted("role=listen", ": nobody has connected: interrupted");
    expect_interrupted("role=connect", ": interrupted");
}

/* It is killed while the machine answers it. */
static void ask_and_go(peer *self)
{
    const rp_packet read = {
        .command = RP_READ, .device = DEVICE_MEMORY, .address = 0x40, .length = 4, .stream_width = 4};
    peer_say(self, &read);
}

static uint32_t answer_late(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet,
                            hd_time t)
{
    peer *self = context;
    pthread_join(self->thread, NULL);
    self->has_ended = 1;
    (void)packet;
    kit_send(kit, port, element, kit_packet(kit, HD_MEMORY_RESPONSE, 4), t);
    return 0;
}

Test(qemu_faults, a_peer_that_does_not_wait_for_its_answer)
{
    peer self = {.major = 4};
    kit_block *kit = peer_begin(&self, ask_and_go, BIT(PORT_MEMORY), "quantum=0 s");
    kit_respond(kit, answer_late, &self);
    kit_expect_fault(kit);
    kit_run_until(kit, 100 * CYCLE);
    cr_expect(strstr(kit_fault_text(kit), "the other side has closed the connection before its access was answered"),
              "%s", kit_fault_text(kit));
    kit_free(kit, kit_receive(kit, PORT_MEMORY, 0, 100 * CYCLE));
    peer_end(&self, kit);
}
