/* SPDX-License-Identifier: MIT */
#include "parts.h"

static uint32_t atomic_is_well_formed(const hd_packet *request)
{
    const hd_atomic_operation *operations = hd_body_const(request);
    if (request->address % HD_LINE_BYTES || request->argument == 0 ||
        request->body_bytes / sizeof *operations < request->argument)
        return 0;
    for (uint32_t i = 0; i < request->argument; i++) {
        if (operations[i].operation > HD_ATOMIC_STORE_CONDITIONAL || operations[i].word >= HD_LINE_BYTES / 4)
            return 0;
    }
    return 1;
}

const char *slice_mistake(const struct slice *slice, const hd_packet *request, const struct place *place)
{
    if (slice_is_buffered(slice, request))
        return slice_buffer_mistake(slice, request);
    if (place->partition != slice->partition)
        return "address of another partition";
    if (request->message == slice->message.atomic)
        return atomic_is_well_formed(request) ? NULL : "ill-formed atomic";
    const uint32_t is_uncached = slice_is_uncached(slice, request);
    if (!is_uncached && request->message != slice->message.load && request->message != slice->message.store)
        return "unknown message";
    if (request->argument == 0 || request->argument > HD_LINE_BYTES - request->address % HD_LINE_BYTES)
        return "access not inside one line";
    if (is_uncached && (request->address | request->argument) % HD_UNCACHED_BYTES)
        return "access past the lines that is no multiple of 32 B";
    if ((request->message == slice->message.store || request->message == slice->message.uncached_store) &&
        request->body_bytes < sizeof(hd_store) + request->argument)
        return "store without its data";
    return NULL;
}
