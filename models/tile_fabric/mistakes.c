/* SPDX-License-Identifier: MIT */
/* Mistakes of programs are answered, so that the core can say where its thread stands. Those of who sends requests end the run here. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "state.h"

/* Bytes of the reply's body: of an atomic the words, of a store none. */
static uint32_t bytes_of_reply(const tile_fabric *self, const hd_packet *request)
{
    if (request->message == self->message.atomic)
        return request->argument * (uint32_t)sizeof(hd_atomic_result);
    return request->message == self->message.load ? request->argument : 0;
}

static hd_packet *answer_of(tile_fabric *self, const hd_packet *request, const uint8_t *data)
{
    const uint32_t bytes = bytes_of_reply(self, request);
    hd_packet *reply = fabric_reply_of(self, request, self->message.mistake, bytes + (uint32_t)sizeof(hd_mistake));
    reply->argument = request->message == self->message.store ? 0 : request->argument;
    reply->wire_bytes += bytes;
    memset(hd_body(reply), 0, bytes);
    if (data)
        memcpy(hd_body(reply), data, bytes);
    return reply;
}

void fabric_mistake(tile_fabric *self, uint32_t pe, hd_packet *request, const uint8_t *data, uint64_t wrong,
                    const char *format, ...)
{
    hd_packet *reply = answer_of(self, request, data);
    hd_mistake mistake = {{0}, {0}};
    va_list arguments;
    memset(mistake.byte_mask, wrong == UINT64_MAX ? 0xFF : 0, sizeof mistake.byte_mask);
    memcpy(mistake.byte_mask, &wrong, sizeof wrong);
    va_start(arguments, format);
    vsnprintf(mistake.what, sizeof mistake.what, format, arguments);
    va_end(arguments);
    memcpy((uint8_t *)hd_body(reply) + reply->body_bytes - sizeof mistake, &mistake, sizeof mistake);
    self->services->free(self->services->context, request);
    fabric_reply_to(self, pe, reply, fabric_edge(self) + 1);
}

void fabric_stale_load(tile_fabric *self, uint32_t pe, hd_packet *request, const uint8_t *data, uint64_t stale,
                       uint32_t other, uint32_t is_elsewhere)
{
    const uint32_t tile = pe / self->pes, number = pe % self->pes;
    if (fabric_value(self, PARAMETER_STALE) != STALE_FAULT) {
        self->counters.stale_reads++;
        fabric_trace_stale(self, pe, request->address, other);
        fabric_answer_load(self, pe, request, data, fabric_edge(self) + 1);
    } else if (is_elsewhere) {
        fabric_mistake(self, pe, request, data, stale,
                       "PE %u of tile %u reads stale bytes: tile %u has stored them and not written them back", number,
                       tile, other);
    } else {
        fabric_mistake(self, pe, request, data, stale,
                       "PE %u of tile %u reads stale bytes: its cache has kept them since before tile %u stored them",
                       number, tile, other);
    }
}

void fabric_refuse(tile_fabric *self, uint32_t pe, hd_packet *request, hd_time t, const char *what)
{
    self->services->fault(
        self->services->context, t, "%s: PE %" PRIu32 " of tile %" PRIu32 ", address %#" PRIx64 ", %" PRIu32 " B: %s",
        self->services->name, pe % self->pes, pe / self->pes, request->address, request->argument, what);
    self->services->free(self->services->context, request);
    self->pe[pe].outstanding--;
    self->faulted = 1;
}
