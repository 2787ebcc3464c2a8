/* SPDX-License-Identifier: MIT */
/* What all targets of the memory protocol (hd_message.h) share: checks of requests, and construction of responses. */
#ifndef HD_MEMORY_H
#define HD_MEMORY_H

#include <stdint.h>

#include "hd_block.h"
#include "hd_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Checks a write's body: its data, optionally followed by one byte enable (0 or 0xFF) per byte. Returns HD_STATUS_*. */
static inline uint32_t hd_memory_check_enables(const hd_packet *write)
{
    const uint32_t bytes = write->argument;
    const uint8_t *enables = (const uint8_t *)hd_body_const(write) + bytes;
    uint32_t i;
    if (write->body_bytes == bytes)
        return HD_STATUS_OK;
    if (write->body_bytes != 2 * bytes)
        return HD_STATUS_BYTE_ENABLE_ERROR;
    for (i = 0; i < bytes; i++)
        if (enables[i] != 0 && enables[i] != 0xFF)
            return HD_STATUS_BYTE_ENABLE_ERROR;
    return HD_STATUS_OK;
}

/* Makes the response to a request, addressed, with room for body_bytes that the caller fills. The request remains the
 * caller's. message is the interned number of HD_MEMORY_RESPONSE. */
static inline hd_packet *hd_memory_response(const hd_services *services, uint32_t message, const hd_packet *request,
                                            uint32_t status, uint32_t body_bytes)
{
    hd_packet *response = services->alloc(services->context, body_bytes);
    response->message = message;
    response->source = (uint16_t)services->endpoint;
    response->destination = request->source;
    response->tag = request->tag;
    response->address = request->address;
    response->traffic_class = request->traffic_class;
    response->argument = status;
    response->body_bytes = body_bytes;
    response->wire_bytes = HD_HEADER_WIRE_BYTES + body_bytes;
    return response;
}

#ifdef __cplusplus
}
#endif

#endif
