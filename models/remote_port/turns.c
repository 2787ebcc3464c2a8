/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "state.h"

/* What the peer owes, or "": first what it is to answer at once. */
static void describe_owed(const remote_port *self, char *text, size_t bytes)
{
    const hd_packet *owed = NULL;
    *text = 0;
    for (uint32_t i = 0; i < HEDDLE_REMOTE_REQUESTS && !owed; i++)
        owed = self->requests[i];
    if (self->untimed_kind)
        snprintf(text, bytes, "; an untimed %s of %u bytes at 0x%llx is unanswered",
                 self->untimed_kind == HEDDLE_REMOTE_READ ? "read" : "write", self->untimed_bytes,
                 (unsigned long long)self->untimed_address);
    else if (owed)
        snprintf(text, bytes, "; %u unanswered, among them a %s of %u bytes at 0x%llx", self->request_count,
                 owed->message == self->read_message ? "read" : "write", owed->argument,
                 (unsigned long long)owed->address);
}

void remote_fault(remote_port *self, hd_time t, const char *text)
{
    char owed[128];
    if (self->is_broken)
        return;
    self->is_broken = 1;
    describe_owed(self, owed, sizeof owed);
    self->services->fault(self->services->context, t, "%s: %s%s", self->address, text, owed);
    remote_leave(self);
}

uint32_t remote_meet(remote_port *self, hd_time t)
{
    if (self->is_met || self->is_broken)
        return self->is_met && !self->is_broken;
    if (self->listener.socket < 0 && listener_open(&self->listener)) {
        remote_fault(self, t, "it can no longer be listened to");
        return 0;
    }
    if (admission_wait(&self->listener, &self->remote) || heddle_remote_greet(&self->remote, self->quantum)) {
        remote_fault(self, t, self->remote.error);
        return 0;
    }
    self->is_met = 1;
    return 1;
}

static hd_time turn_after(const remote_port *self, hd_time t)
{
    return self->quantum ? (t + self->quantum - 1) / self->quantum * self->quantum : t;
}

void remote_say(remote_port *self, const heddle_remote_message *message, hd_time t)
{
    if (self->has_left)
        remote_fault(self, t, "the machine has something to say, and the peer has said BYE");
    else if (heddle_remote_send(&self->remote, message))
        remote_fault(self, t, self->remote.error);
    self->passes = hd_earlier(self->passes, turn_after(self, t));
}

static void end_of_peer(remote_port *self, const heddle_remote_message *message, hd_time t)
{
    const uint32_t is_owed = self->request_count != 0;
    if (message->kind != HEDDLE_REMOTE_BYE)
        remote_fault(self, t, "the other side has closed the connection");
    else if (is_owed)
        remote_fault(self, t, "the peer has said BYE");
    self->has_left = 1;
    self->granted = HD_NEVER;
}

uint32_t remote_hear(remote_port *self, heddle_remote_message *message, int64_t end, const char *what, hd_time t)
{
    const int got = heddle_remote_receive_by(&self->remote, message, end, what);
    if (got < 0)
        remote_fault(self, t, self->remote.error);
    if (!got)
        end_of_peer(self, message, t);
    return got > 0;
}

static void take_turn(remote_port *self, hd_time until, hd_time t)
{
    self->granted = until;
    if (until <= t)
        remote_fault(self, t, "the peer passes the turn until a time that is not after this one");
    if (until >= PEER_TIME_END && until != HD_NEVER)
        remote_fault(self, t, "the peer says something of a time that never comes");
    if (until == HD_NEVER && self->request_count && !self->waiting_count && !self->peer_request_count)
        remote_fault(self, t, "the peer passes the turn for ever, and has not answered");
}

void remote_pass_turn(remote_port *self, hd_time t)
{
    heddle_remote_message message = {.kind = HEDDLE_REMOTE_ADVANCE, .time = t};
    self->counters[STATISTIC_TURNS]++;
    remote_say(self, &message, t);
    self->passes = HD_NEVER;
    const int64_t end = heddle_remote_deadline(&self->remote);
    while (!self->is_broken && remote_hear(self, &message, end, "the other side has not passed the turn", t)) {
        if (message.kind == HEDDLE_REMOTE_ADVANCE) {
            take_turn(self, message.time, t);
            return;
        }
        incoming_take(self, &message, t);
    }
}

/* The peer may have gone, or take nothing: it is not waited for. */
static void say_bye(remote_port *self)
{
    const heddle_remote_message bye = {.kind = HEDDLE_REMOTE_BYE};
    self->remote.timeout = 0;
    heddle_remote_send(&self->remote, &bye);
}

void remote_leave(remote_port *self)
{
    listener_close(&self->listener);
    if (self->is_met && self->remote.socket >= 0)
        say_bye(self);
    heddle_remote_close(&self->remote);
}
