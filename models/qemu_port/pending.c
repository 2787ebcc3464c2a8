/* SPDX-License-Identifier: MIT */
/* What the peer owes, for who asks why nothing moves. */
#include "hd_extension.h"
#include "life.h"

static uint32_t has_work(hd_block *block)
{
    const qemu_port *self = (const qemu_port *)block;
    return self->asked.request || self->answer_count;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const qemu_port *self = (const qemu_port *)block;
    const hd_packet *request = self->asked.request;
    if (request)
        sink->line(sink->context, "the peer at %s owes an answer to a %s of %u bytes at 0x%llx since %llu ns",
                   self->address, request->message == self->read_message ? "read" : "write", request->argument,
                   (unsigned long long)request->address, (unsigned long long)nanoseconds(self->asked.at));
    if (self->answer_count)
        sink->line(sink->context, "the next of %u answers of the peer at %s is for %llu ns", self->answer_count,
                   self->address, (unsigned long long)nanoseconds(self->answers[0].time));
}

const void *qemu_port_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {.has_work = has_work, .describe = describe};
    (void)block;
    return hd_ability(id, &pending, NULL, NULL);
}
