/* SPDX-License-Identifier: MIT */
/* What the peer owes, for who asks why nothing moves. */
#include "hd_extension.h"
#include "life.h"

#define PS_PER_NS 1000u
#define DESCRIBED_REQUESTS 4u /* the others are counted */

static uint32_t has_work(hd_block *block)
{
    return ((remote_port *)block)->request_count != 0;
}

static void describe_request(const remote_port *self, uint32_t tag, const hd_text_sink *sink)
{
    const hd_packet *request = self->requests[tag];
    const heddle_remote_message *answer = incoming_answer_to(self, tag);
    const char *kind = request->message == self->read_message ? "read" : "write";
    if (answer)
        sink->line(sink->context, "the answer of the peer at %s to a %s of %u bytes at 0x%llx is for %llu ns",
                   self->address, kind, request->argument, (unsigned long long)request->address,
                   (unsigned long long)(answer->time / PS_PER_NS));
    else
        sink->line(sink->context, "the peer at %s owes an answer to a %s of %u bytes at 0x%llx since %llu ns",
                   self->address, kind, request->argument, (unsigned long long)request->address,
                   (unsigned long long)(self->asked_at[tag] / PS_PER_NS));
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const remote_port *self = (const remote_port *)block;
    uint32_t described = 0;
    for (uint32_t tag = 0; tag < HEDDLE_REMOTE_REQUESTS && described < DESCRIBED_REQUESTS; tag++)
        if (self->requests[tag]) {
            describe_request(self, tag, sink);
            described++;
        }
    if (self->request_count > described)
        sink->line(sink->context, "and %u more requests to it", self->request_count - described);
}

const void *remote_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {.has_work = has_work, .describe = describe};
    (void)block;
    return hd_ability(id, &pending, NULL, NULL);
}
