/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "state.h"

/* ---- Ends ------------------------------------------------------------------------------------------------------------ */

/* What the peer owes, or "": first what it is to answer at once. */
static void describe_owed(const qemu_port *self, char *text, size_t bytes)
{
    const hd_packet *owed = self->asked.request;
    *text = 0;
    if (self->untimed.is_awaited)
        snprintf(text, bytes, "; an untimed %s of %u bytes at 0x%llx is unanswered",
                 self->untimed.command == RP_READ ? "read" : "write", self->untimed_bytes,
                 (unsigned long long)self->untimed_address);
    else if (owed)
        snprintf(text, bytes, "; a %s of %u bytes at 0x%llx is unanswered",
                 owed->message == self->read_message ? "read" : "write", owed->argument,
                 (unsigned long long)owed->address);
}

void qemu_port_fault(qemu_port *self, hd_time t, const char *text)
{
    char owed[128];
    if (self->is_broken)
        return;
    self->is_broken = 1;
    describe_owed(self, owed, sizeof owed);
    self->services->fault(self->services->context, t, "%s: %s%s", self->address, text, owed);
    qemu_port_leave(self);
}

void qemu_port_leave(qemu_port *self)
{
    listener_close(&self->listener);
    heddle_remote_close(&self->remote);
}

/* The protocol has no word for the end: a peer that is done closes the connection, and so does one that was killed. */
static void end_of_peer(qemu_port *self, hd_time t)
{
    if (self->remote.count)
        qemu_port_fault(self, t, "the other side has closed the connection within a packet");
    else if (self->asked.response.is_awaited || self->untimed.is_awaited)
        qemu_port_fault(self, t, "the other side has closed the connection");
    self->has_left = 1;
    self->sync.is_awaited = 0;
}

/* ---- Packets --------------------------------------------------------------------------------------------------------- */

uint32_t qemu_port_say(qemu_port *self, const rp_packet *packet, hd_time t)
{
    if (self->is_broken)
        return 0;
    if (!heddle_remote_send_bytes(&self->remote, self->bytes, rp_encode(packet, self->bytes)))
        return 1;
    if (!self->remote.is_closed)
        qemu_port_fault(self, t, self->remote.error);
    return 0;
}

void qemu_port_give_time(qemu_port *self)
{
    self->end = heddle_remote_deadline(&self->remote);
}

void qemu_port_request(qemu_port *self, rp_packet *packet, awaited *response, hd_time t)
{
    packet->id = ++self->last_id;
    *response = (awaited){.is_awaited = 1, .command = packet->command, .id = packet->id};
    qemu_port_say(self, packet, t);
    qemu_port_give_time(self);
}

uint32_t qemu_port_settle(awaited *response, const rp_packet *packet)
{
    if (!response->is_awaited || response->id != packet->id || response->command != packet->command)
        return 0;
    response->is_awaited = 0;
    return 1;
}

static uint32_t is_owed(const qemu_port *self)
{
    return self->asked.response.is_awaited || self->sync.is_awaited || self->untimed.is_awaited;
}

/* Its time is over, however much it says. */
static uint32_t is_late(qemu_port *self, const char *what)
{
    return heddle_remote_deadline(&self->remote) > self->end + self->remote.timeout &&
           heddle_remote_wait(&self->remote, self->remote.socket, 0, self->end, what) < 0;
}

/* 1: into self->packet; 0: nothing comes any more; -1 with remote.error. */
static int receive(qemu_port *self)
{
    const char *what = !self->is_met   ? "the other side has sent no HELLO"
                       : is_owed(self) ? "the other side has not answered"
                                       : "the other side has not let time go on";
    if (is_late(self, what))
        return -1;
    for (;;) {
        const char *why;
        const long used = rp_decode(self->remote.bytes, self->remote.count, self->packet, &why);
        if (used > 0) {
            heddle_remote_take_away(&self->remote, (size_t)used);
            return 1;
        }
        if (used < 0) {
            snprintf(self->remote.error, sizeof self->remote.error, "what the other side has sent is no packet: %s",
                     why);
            return -1;
        }
        const int more = heddle_remote_fetch(&self->remote, self->end, what);
        if (more <= 0)
            return more;
    }
}

/* Whoever talks without end, and lets no time go by, would keep the machine where it is. */
static uint32_t is_without_end(qemu_port *self, hd_time t)
{
    if (t != self->heard_at) {
        self->heard_at = t;
        self->heard_count = 0;
        if (!is_owed(self))
            qemu_port_give_time(self);
    }
    return self->heard_count++ == PACKETS_AT_ONE_TIME;
}

uint32_t qemu_port_hear(qemu_port *self, hd_time t)
{
    char text[80];
    if (is_without_end(self, t)) {
        snprintf(text, sizeof text, "the other side has sent %u packets, and lets no time go by", PACKETS_AT_ONE_TIME);
        qemu_port_fault(self, t, text);
        return 0;
    }
    const int got = receive(self);
    if (got < 0)
        qemu_port_fault(self, t, self->remote.error);
    if (!got)
        end_of_peer(self, t);
    return got > 0;
}

/* ---- The beginning --------------------------------------------------------------------------------------------------- */

static void say_hello(qemu_port *self, hd_time t)
{
    memset(self->packet, 0, sizeof *self->packet);
    self->packet->command = RP_HELLO;
    self->packet->major = RP_MAJOR;
    self->packet->minor = RP_MINOR;
    self->packet->capabilities = RP_OUR_CAPABILITIES;
    qemu_port_say(self, self->packet, t);
}

static void take_hello(qemu_port *self, hd_time t)
{
    const rp_packet *hello = self->packet;
    char text[120];
    if (hello->command != RP_HELLO)
        qemu_port_fault(self, t, "the first packet of the other side is no HELLO");
    else if (hello->major != RP_MAJOR) {
        snprintf(text, sizeof text,
                 "the other side speaks version %u.%u of the protocol, this one speaks version %u.%u", hello->major,
                 hello->minor, RP_MAJOR, RP_MINOR);
        qemu_port_fault(self, t, text);
    }
    self->capabilities = hello->capabilities;
}

static uint32_t greet(qemu_port *self, hd_time t)
{
    say_hello(self, t);
    if (!self->is_broken && qemu_port_hear(self, t))
        take_hello(self, t);
    if (self->has_left)
        qemu_port_fault(self, t, "the other side has closed the connection before its HELLO");
    return !self->is_broken;
}

static int open_connection(qemu_port *self)
{
    return self->is_caller ? heddle_remote_dial(&self->remote, self->address)
                           : admission_wait(&self->listener, &self->remote);
}

uint32_t qemu_port_meet(qemu_port *self, hd_time t)
{
    if (self->is_met || self->is_broken)
        return self->is_met && !self->is_broken;
    if (!self->is_caller && self->listener.socket < 0 && listener_open(&self->listener)) {
        qemu_port_fault(self, t, "it can no longer be listened to");
        return 0;
    }
    if (open_connection(self)) {
        qemu_port_fault(self, t, self->remote.error);
        return 0;
    }
    self->is_met = greet(self, t);
    return self->is_met;
}
