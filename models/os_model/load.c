/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "state.h"

uint32_t os_is_loaded(const os_model *self)
{
    return self->loading_thread == os_thread_count(self) && self->writes == 0;
}

/* On to bytes that the file has. */
static void skip(os_model *self)
{
    while (self->loading_thread < os_thread_count(self)) {
        if (self->loading_segment == self->program->segment_count) {
            self->loading_segment = 0;
            self->loading_thread++;
        } else if (self->loading_offset == self->program->segments[self->loading_segment].file_bytes) {
            self->loading_offset = 0;
            self->loading_segment++;
        } else {
            return;
        }
    }
}

static void write_part(os_model *self, hd_time t)
{
    const hd_services *s = self->services;
    const isa_segment *segment = &self->program->segments[self->loading_segment];
    const uint32_t left = segment->file_bytes - self->loading_offset;
    const uint32_t address = segment->address + self->loading_offset;
    const uint32_t in_piece = OS_WRITE_BYTES - address % OS_WRITE_BYTES;
    const uint32_t bytes = left < in_piece ? left : in_piece;
    hd_packet *packet = s->alloc(s->context, bytes);
    packet->message = self->messages[MESSAGE_WRITE];
    packet->source = (uint16_t)s->endpoint;
    packet->traffic_class = HD_CLASS_HOST;
    packet->address = self->threads[self->loading_thread].context.physical + address;
    packet->argument = packet->body_bytes = bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    memcpy(hd_body(packet), segment->data + self->loading_offset, bytes);
    s->send(s->context, self->memory_out, packet, t);
    self->loading_offset += bytes;
    self->counters.loaded_bytes += bytes;
    self->writes++;
}

void os_load(os_model *self, hd_time t)
{
    const hd_services *s = self->services;
    for (hd_packet *packet; (packet = hd_link_pop(s, self->memory_in, t));) {
        if (packet->argument != HD_STATUS_OK || !self->writes)
            os_fault(self, t, "memory refused the program, or answered what was not asked");
        else
            self->writes--;
        s->free(s->context, packet);
    }
    for (skip(self); self->loading_thread < os_thread_count(self) && hd_link_has_credit(s, self->memory_out, t);
         skip(self))
        write_part(self, t);
}
