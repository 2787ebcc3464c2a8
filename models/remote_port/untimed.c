/* SPDX-License-Identifier: MIT */
/* Accesses that take no time: the peer answers them at once, whoever has the turn. */
#include <string.h>

#include "state.h"

static uint32_t is_answer(const heddle_remote_message *message)
{
    return message->kind == HEDDLE_REMOTE_ANSWER && message->flags & HEDDLE_REMOTE_UNTIMED;
}

/* What the peer has said before its answer is kept for its time. */
static uint32_t hear_answer(remote_port *self, heddle_remote_message *answer)
{
    const int64_t end = heddle_remote_deadline(&self->remote);
    while (!self->is_broken && remote_hear(self, answer, end, "the other side has not answered", self->cursor.t)) {
        if (is_answer(answer))
            return 1;
        if (answer->kind == HEDDLE_REMOTE_ADVANCE)
            remote_fault(self, self->cursor.t, "the peer passes a turn that it does not have");
        else
            incoming_take(self, answer, self->cursor.t);
    }
    return 0;
}

/* It is the only untimed request that is unanswered. */
static const char *fault_of_answer(const heddle_remote_message *request, const heddle_remote_message *answer)
{
    if (answer->tag != request->tag)
        return "the peer answers a request that nobody has made";
    return incoming_fault_of_form(answer, request->kind == HEDDLE_REMOTE_READ ? request->length : 0);
}

/* 1: it has gone well. */
static uint32_t ask(remote_port *self, const heddle_remote_message *message, heddle_remote_message *answer)
{
    if (!remote_meet(self, self->cursor.t) || self->has_left)
        return 0;
    self->untimed_kind = (uint8_t)message->kind;
    self->untimed_bytes = message->length;
    self->untimed_address = message->address;
    if (heddle_remote_send(&self->remote, message)) {
        remote_fault(self, self->cursor.t, self->remote.error);
        return 0;
    }
    if (!hear_answer(self, answer))
        return 0;
    const char *why = fault_of_answer(message, answer);
    if (why)
        remote_fault(self, self->cursor.t, why);
    self->untimed_kind = 0;
    return !why && answer->status == HEDDLE_REMOTE_OK;
}

uint32_t untimed_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    remote_port *self = (remote_port *)block;
    heddle_remote_message answer;
    const uint32_t length = bytes < HEDDLE_REMOTE_DATA_MAX ? bytes : HEDDLE_REMOTE_DATA_MAX;
    heddle_remote_message message = {.kind = is_write ? HEDDLE_REMOTE_WRITE : HEDDLE_REMOTE_READ,
                                     .flags = HEDDLE_REMOTE_UNTIMED,
                                     .time = self->cursor.t,
                                     .address = address,
                                     .length = length,
                                     .data_bytes = is_write ? length : 0};
    if (!self->access_in[0])
        return 0;
    memcpy(message.data, data, message.data_bytes);
    if (!ask(self, &message, &answer))
        return 0;
    memcpy(data, answer.data, answer.data_bytes);
    return length;
}
