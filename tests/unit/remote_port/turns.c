/* SPDX-License-Identifier: MIT */
/* The port and its peer: when what each of them says takes effect. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hd_host.h"
#include "peer.h"

#define BIT(port) (1u << (port))
#define CYCLE 1000

/* Passes the turn that every port gives at time 0. */
static void begin(peer *self)
{
    const heddle_remote_message first = peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    cr_expect_eq(first.time, 0);
    heddle_remote_pass(&self->remote, HEDDLE_REMOTE_NEVER);
}

/* ---- The machine accesses the peer ----------------------------------------------------------------------------------- */

static void answer_one_read(peer *self)
{
    begin(self);
    const heddle_remote_message read = peer_expect(self, HEDDLE_REMOTE_READ);
    cr_expect_eq(read.address, 0x1000);
    cr_expect_eq(read.length, 4);
    cr_expect_eq(read.time, 5 * CYCLE);
    const heddle_remote_message turn = peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    const uint64_t quantum = self->remote.hello.time;
    cr_expect_eq(turn.time, quantum > read.time ? quantum : read.time, "at the first multiple");
    heddle_remote_answer(&self->remote, &read, HEDDLE_REMOTE_OK, "abcd", 7 * CYCLE);
    heddle_remote_pass(&self->remote, HEDDLE_REMOTE_NEVER);
    peer_expect(self, HEDDLE_REMOTE_BYE);
}

static hd_packet *read_of(kit_block *kit, uint64_t address, uint32_t bytes)
{
    hd_packet *packet = kit_packet(kit, HD_MEMORY_READ, 0);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = 77;
    return packet;
}

static void expect_answer(kit_block *kit, hd_time at)
{
    hd_packet *answer = kit_receive(kit, PORT_ACCESS, 0, 100 * CYCLE);
    cr_assert(answer);
    cr_expect_eq(kit_received_at(kit), at);
    cr_expect_eq(answer->tag, 77);
    cr_expect_eq(answer->argument, HD_STATUS_OK);
    cr_expect_arr_eq(hd_body(answer), "abcd", 4);
    kit_free(kit, answer);
}

Test(remote_turns, an_answer_comes_after_its_delay)
{
    peer self = {0};
    kit_block *kit = peer_begin(&self, answer_one_read, BIT(PORT_ACCESS), "quantum=0 s");
    kit_send(kit, PORT_ACCESS, 0, read_of(kit, 0x1000, 4), 5 * CYCLE);
    expect_answer(kit, 13 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "requests"), 1);
    cr_expect_eq(kit_statistic(kit, "turns"), 2);
    cr_expect_eq(kit_statistic(kit, "late"), 0);
    peer_end(&self, kit);
}

Test(remote_turns, with_a_quantum_the_peer_gets_the_turn_at_its_multiples)
{
    peer self = {0};
    kit_block *kit = peer_begin(&self, answer_one_read, BIT(PORT_ACCESS), "quantum=20 ns");
    kit_send(kit, PORT_ACCESS, 0, read_of(kit, 0x1000, 4), 5 * CYCLE);
    expect_answer(kit, 21 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "late"), 1);
    peer_end(&self, kit);
}

Test(remote_turns, what_is_said_at_a_multiple_of_the_quantum_is_not_put_off)
{
    peer self = {0};
    kit_block *kit = peer_begin(&self, answer_one_read, BIT(PORT_ACCESS), "quantum=5 ns");
    kit_send(kit, PORT_ACCESS, 0, read_of(kit, 0x1000, 4), 5 * CYCLE);
    expect_answer(kit, 13 * CYCLE);
    peer_end(&self, kit);
}

static void only_begin(peer *self)
{
    begin(self);
    peer_expect(self, HEDDLE_REMOTE_BYE);
}

Test(remote_turns, what_is_no_request_is_refused_here)
{
    peer self = {0};
    kit_block *kit = peer_begin(&self, only_begin, BIT(PORT_ACCESS), "quantum=0 s");
    kit_send(kit, PORT_ACCESS, 0, read_of(kit, 0, 0), 0);
    hd_packet *answer = kit_receive(kit, PORT_ACCESS, 0, 100 * CYCLE);
    cr_expect_eq(answer->argument, HD_STATUS_BURST_ERROR);
    cr_expect_eq(kit_statistic(kit, "refused"), 1);
    kit_free(kit, answer);
    peer_end(&self, kit);
}

static void serve_untimed(peer *self)
{
    const heddle_remote_message write = peer_expect(self, HEDDLE_REMOTE_WRITE);
    cr_expect_eq(write.flags, HEDDLE_REMOTE_UNTIMED);
    heddle_remote_answer(&self->remote, &write, HEDDLE_REMOTE_OK, NULL, 0);
    const heddle_remote_message read = peer_expect(self, HEDDLE_REMOTE_READ);
    heddle_remote_answer(&self->remote, &read, HEDDLE_REMOTE_OK, write.data, 0);
    const heddle_remote_message elsewhere = peer_expect(self, HEDDLE_REMOTE_READ);
    heddle_remote_answer(&self->remote, &elsewhere, HEDDLE_REMOTE_ADDRESS_ERROR, NULL, 0);
    const heddle_remote_message refused = peer_expect(self, HEDDLE_REMOTE_WRITE);
    heddle_remote_answer(&self->remote, &refused, HEDDLE_REMOTE_ADDRESS_ERROR, NULL, 0);
    peer_expect(self, HEDDLE_REMOTE_BYE);
}

Test(remote_turns, what_takes_no_time_is_answered_at_once)
{
    peer self = {0};
    uint8_t bytes[8];
    kit_block *kit = peer_begin(&self, serve_untimed, BIT(PORT_ACCESS), "quantum=0 s");
    cr_expect_eq(kit_debug_write(kit, 0x40, "12345678", 8), 8);
    cr_expect_eq(kit_debug_read(kit, 0x40, bytes, 8), 8);
    cr_expect_arr_eq(bytes, "12345678", 8);
    cr_expect_eq(kit_debug_read(kit, 0x4000, bytes, 8), 0);
    cr_expect_eq(kit_debug_write(kit, 0x4000, bytes, 8), 0);
    peer_end(&self, kit);
}

/* ---- The peer accesses the machine ----------------------------------------------------------------------------------- */

static void read_and_write(peer *self)
{
    peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    heddle_remote_write(&self->remote, 2, 9 * CYCLE, 0x200, "wxyz", 4);
    heddle_remote_read(&self->remote, 1, 3 * CYCLE, 0x100, 4);
    heddle_remote_pass(&self->remote, HEDDLE_REMOTE_NEVER);
    const heddle_remote_message answer = peer_expect(self, HEDDLE_REMOTE_ANSWER);
    cr_expect_eq(answer.tag, 1);
    cr_expect_arr_eq(answer.data, "data", 4);
    cr_expect_eq(answer.time, 5 * CYCLE);
    peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    heddle_remote_bye(&self->remote);
}

Test(remote_turns, the_peers_accesses_begin_when_it_says)
{
    peer self = {0};
    kit_block *kit = peer_begin(&self, read_and_write, BIT(PORT_MEMORY), "quantum=0 s");
    hd_packet *read = kit_receive(kit, PORT_MEMORY, 0, 4 * CYCLE);
    cr_assert(read);
    cr_expect_eq(kit_received_at(kit), 4 * CYCLE, "the order of saying is not that of time");
    cr_expect_eq(read->address, 0x100);
    hd_packet *answer = kit_packet(kit, HD_MEMORY_RESPONSE, 4);
    answer->tag = read->tag;
    memcpy(hd_body(answer), "data", 4);
    kit_send(kit, PORT_MEMORY, 0, answer, 5 * CYCLE);
    kit_free(kit, read);
    hd_packet *write = kit_receive(kit, PORT_MEMORY, 0, 10 * CYCLE);
    cr_assert(write);
    cr_expect_eq(kit_received_at(kit), 10 * CYCLE, "also of a peer that has said BYE");
    cr_expect_arr_eq(hd_body(write), "wxyz", 4);
    cr_expect_eq(kit_statistic(kit, "peer_requests"), 2);
    kit_free(kit, write);
    peer_end(&self, kit);
}

static void raise_lines(peer *self)
{
    peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    heddle_remote_interrupt(&self->remote, 0, 2 * CYCLE, 1, 0, 0);
    heddle_remote_interrupt(&self->remote, 0, 3 * CYCLE, 0, 0, 0);
    heddle_remote_interrupt(&self->remote, 0, 4 * CYCLE, 1, HEDDLE_REMOTE_LEVEL, 11);
    heddle_remote_pass(&self->remote, HEDDLE_REMOTE_NEVER);
    const heddle_remote_message told = peer_expect(self, HEDDLE_REMOTE_INTERRUPT);
    cr_expect_eq(told.time, 6 * CYCLE);
    cr_expect_eq(told.status, 1);
    peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    heddle_remote_pass(&self->remote, HEDDLE_REMOTE_NEVER);
    peer_expect(self, HEDDLE_REMOTE_BYE);
}

Test(remote_turns, interrupts_go_both_ways)
{
    peer self = {0};
    kit_block *kit =
        peer_begin(&self, raise_lines, BIT(PORT_NOTIFY) | BIT(PORT_INTERRUPT) | BIT(PORT_LEVEL), "quantum=0 s");
    kit_send(kit, PORT_NOTIFY, 0, kit_packet(kit, HD_INTERRUPT, 0), 6 * CYCLE);
    hd_packet *event = kit_receive(kit, PORT_INTERRUPT, 0, 20 * CYCLE);
    cr_assert(event);
    cr_expect_eq(kit_received_at(kit), 3 * CYCLE);
    cr_expect_eq(kit_waiting(kit, PORT_INTERRUPT, 0), 0, "a line of events only rises");
    hd_packet *level = kit_receive(kit, PORT_LEVEL, 0, 20 * CYCLE);
    cr_assert(level);
    cr_expect_eq(level->tag, 1);
    cr_expect_eq(level->argument, 11);
    cr_expect_eq(kit_statistic(kit, "interrupts"), 1);
    cr_expect_eq(kit_statistic(kit, "peer_interrupts"), 2);
    kit_free(kit, event);
    kit_free(kit, level);
    peer_end(&self, kit);
}

/* ---- Turns ----------------------------------------------------------------------------------------------------------- */

static void ask_for_turns(peer *self)
{
    for (uint32_t i = 0; i < 4; i++) {
        const heddle_remote_message turn = peer_expect(self, HEDDLE_REMOTE_ADVANCE);
        cr_expect_eq(turn.time, i * 25 * CYCLE);
        heddle_remote_pass(&self->remote, (i + 1) * 25 * CYCLE);
    }
    peer_expect(self, HEDDLE_REMOTE_BYE);
}

Test(remote_turns, the_peer_gets_the_turn_when_it_wants_it)
{
    for (uint32_t seed = 0; seed < 3; seed++) {
        peer self = {0};
        kit_block *kit = peer_begin(&self, ask_for_turns, BIT(PORT_ACCESS), "quantum=0 s");
        kit_disturb(kit, seed);
        kit_run_until(kit, 99 * CYCLE);
        cr_expect_eq(kit_statistic(kit, "turns"), 4);
        peer_end(&self, kit);
    }
}

Test(remote_turns, after_a_reset_the_next_peer_finds_a_machine_that_begins)
{
    peer self = {.visits = 2};
    kit_block *kit = peer_begin(&self, answer_one_read, BIT(PORT_ACCESS), "quantum=0 s");
    for (uint32_t i = 0; i < 2; i++) {
        kit_send(kit, PORT_ACCESS, 0, read_of(kit, 0x1000, 4), 5 * CYCLE);
        expect_answer(kit, 13 * CYCLE);
        if (!i)
            kit_reset(kit);
    }
    peer_end(&self, kit);
}

static void keep_lines(void *context, const char *format, ...)
{
    char *text = context;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + strlen(text), 256, format, arguments);
    va_end(arguments);
    strcat(text, "\n");
}

/* It answers the second of two reads, later. */
static void swallow_one(peer *self)
{
    begin(self);
    peer_expect(self, HEDDLE_REMOTE_READ);
    const heddle_remote_message second = peer_expect(self, HEDDLE_REMOTE_READ);
    peer_expect(self, HEDDLE_REMOTE_ADVANCE);
    heddle_remote_answer(&self->remote, &second, HEDDLE_REMOTE_OK, "abcd", 50 * CYCLE);
    heddle_remote_pass(&self->remote, HEDDLE_REMOTE_NEVER);
    peer_expect(self, HEDDLE_REMOTE_BYE);
}

Test(remote_turns, what_the_peer_owes_is_pending)
{
    peer self = {0};
    char lines[1024] = "", text[512];
    const hd_text_sink sink = {.context = lines, .line = keep_lines};
    kit_block *kit = peer_begin(&self, swallow_one, BIT(PORT_ACCESS), "quantum=0 s");
    const hd_pending *pending = hd_remote_port_device.extension(kit_instance(kit), HD_EXTENSION_PENDING);
    cr_expect_not(pending->has_work(kit_instance(kit)));
    kit_send(kit, PORT_ACCESS, 0, read_of(kit, 0x1000, 4), 5 * CYCLE);
    kit_send(kit, PORT_ACCESS, 0, read_of(kit, 0x2000, 4), 5 * CYCLE);
    kit_run_until(kit, 20 * CYCLE);
    cr_expect(pending->has_work(kit_instance(kit)));
    pending->describe(kit_instance(kit), &sink);
    snprintf(text, sizeof text,
             "the peer at %s owes an answer to a read of 4 bytes at 0x1000 since 5 ns\n"
             "the answer of the peer at %s to a read of 4 bytes at 0x2000 is for 55 ns\n",
             self.address, self.address);
    cr_expect_str_eq(lines, text);
    peer_end(&self, kit);
}

/* ---- What goes wrong ------------------------------------------------------------------------------------------------- */

static void expect_fault(void (*act)(peer *peer), uint32_t ports, const char *text)
{
    peer self = {0};
    kit_block *kit = peer_begin(&self, act, ports, "quantum=0 s");
    kit_expect_fault(kit);
    kit_run_until(kit, 100 * CYCLE);
    const char *fault = kit_fault_text(kit);
    cr_expect(fault && strstr(fault, text), "expected: %s\nfault: %s", text, fault ? fault : "none");
    peer_end(&self, kit);
}

static void go(peer *self)
{
    peer_expect(self, HEDDLE_REMOTE_ADVANCE);
}

static void stand_still(peer *self)
{
    go(self);
    heddle_remote_pass(&self->remote, 0);
}

static void greet_again(peer *self)
{
    go(self);
    heddle_remote_send(&self->remote, &self->remote.hello);
}

static void answer_nobody(peer *self)
{
    go(self);
    heddle_remote_answer(&self->remote, &(heddle_remote_message){.tag = 3}, HEDDLE_REMOTE_OK, NULL, 0);
}

/* As late as a time can be that is not never. */
#define LATEST (HEDDLE_REMOTE_NEVER - 1)

static void read_too_late(peer *self)
{
    go(self);
    heddle_remote_read(&self->remote, 0, LATEST, 0, 4);
}

static void pass_too_late(peer *self)
{
    go(self);
    heddle_remote_pass(&self->remote, LATEST);
}

static void read_at_the_bound(peer *self)
{
    go(self);
    heddle_remote_read(&self->remote, 0, UINT64_C(1) << 63, 0, 4);
}

static void read_once(peer *self)
{
    go(self);
    heddle_remote_read(&self->remote, 0, 0, 0, 4);
}

static void read_too_often(peer *self)
{
    go(self);
    for (uint32_t i = 0; i <= HEDDLE_REMOTE_REQUESTS; i++)
        heddle_remote_read(&self->remote, i, 1000000, 0, 4);
}

static void raise_one(peer *self)
{
    go(self);
    heddle_remote_interrupt(&self->remote, 0, 0, 1, 0, 0);
}

static void raise_to_three(peer *self)
{
    go(self);
    heddle_remote_interrupt(&self->remote, 0, 0, 3, 0, 0);
}

static void end_within_a_message(peer *self)
{
    const heddle_remote_message pass = {.kind = HEDDLE_REMOTE_ADVANCE};
    uint8_t bytes[HEDDLE_REMOTE_BYTES_MAX];
    heddle_remote_encode(&pass, bytes);
    go(self);
    cr_expect_eq(write(self->remote.socket, bytes, 20), 20);
}

/* Each message in time, and the turn never: until the port has gone. */
static void chatter(peer *self)
{
    go(self);
    while (!heddle_remote_interrupt(&self->remote, 0, 1000000, 1, 0, 0))
        usleep(100000);
}

static void chatter_untimed(peer *self)
{
    while (!heddle_remote_interrupt(&self->remote, 0, 1000000, 1, 0, 0))
        usleep(100000);
}

Test(remote_turns, a_turn_has_one_time_limit_however_much_is_said_in_it)
{
    expect_fault(chatter, BIT(PORT_INTERRUPT), "the other side has not passed the turn within 2 s");
    peer self = {0};
    uint8_t bytes[8];
    kit_block *kit = peer_begin(&self, chatter_untimed, BIT(PORT_ACCESS) | BIT(PORT_INTERRUPT), "quantum=0 s");
    kit_expect_fault(kit);
    cr_expect_eq(kit_debug_read(kit, 0x40, bytes, 8), 0);
    cr_expect(strstr(kit_fault_text(kit), "the other side has not answered within 2 s"));
    peer_end(&self, kit);
}

Test(remote_turns, what_the_peer_must_not_say_is_a_fault)
{
    expect_fault(stand_still, BIT(PORT_ACCESS), "passes the turn until a time that is not after this one");
    expect_fault(greet_again, BIT(PORT_ACCESS), "a HELLO in the middle");
    expect_fault(answer_nobody, BIT(PORT_ACCESS), "answers a request that nobody has made");
    expect_fault(read_once, BIT(PORT_ACCESS), "port memory is not bound");
    expect_fault(read_too_often, BIT(PORT_MEMORY), "as many unanswered as it may have");
    expect_fault(raise_one, BIT(PORT_ACCESS), "a line of port interrupt that is not bound");
    expect_fault(raise_to_three, BIT(PORT_INTERRUPT), "a level other than 0 and 1");
    expect_fault(read_too_late, BIT(PORT_MEMORY), "says something of a time that never comes");
    expect_fault(read_at_the_bound, BIT(PORT_MEMORY), "says something of a time that never comes");
    expect_fault(pass_too_late, BIT(PORT_MEMORY), "says something of a time that never comes");
    expect_fault(end_within_a_message, BIT(PORT_ACCESS), "has closed the connection within a message");
}

Test(remote_turns, addresses_that_are_none_are_refused)
{
    static const char *const wrong[][2] = {{"address=nowhere", "expected unix:PATH or tcp:PORT"},
                                           {"address=tcp:65536", "expected unix:PATH or tcp:PORT"},
                                           {"address=tcp:0", "expected unix:PATH or tcp:PORT"},
                                           {"address=tcp:1x", "expected unix:PATH or tcp:PORT"},
                                           {"address=unix:", "1 to 107 characters"},
                                           {"address=unix:/nowhere/at/all", "No such file or directory"}};
    char error[256];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect(kit_refuses(&hd_remote_port_device, (const char *[]){wrong[i][0], NULL}, error, sizeof error));
        cr_expect(strstr(error, wrong[i][1]), "%s: %s", wrong[i][0], error);
    }
}

Test(remote_turns, the_tables_are_in_order)
{
    cr_expect_eq(kit_check_declaration(&hd_remote_port_device), 0);
    cr_expect_eq(kit_check_declaration(&hd_remote_port_host), 0);
}
