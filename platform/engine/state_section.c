/* SPDX-License-Identifier: MIT */
/* Streams of one part of an engine. */
#include "state_section.h"

#include <stdlib.h>

static void save_bytes(void *context, void *data, size_t count)
{
    const state_section *self = context;
    if (self->values)
        state_bytes_add(self->values, data, count);
}

static void save_packet(void *context, hd_packet **packet)
{
    const state_section *self = context;
    if (!self->values)
        return;
    state_bytes_add_number(self->values, *packet != NULL);
    if (*packet)
        state_bytes_add(self->values, *packet, sizeof **packet + (*packet)->body_bytes);
}

static void save_shape(void *context, const char *what, uint64_t value)
{
    const state_section *self = context;
    if (!self->shapes)
        return;
    state_bytes_add_text(self->shapes, what);
    state_bytes_add_number(self->shapes, value);
}

static void restore_bytes(void *context, void *data, size_t count)
{
    state_bytes_take(((state_section *)context)->values, data, count);
}

static void restore_packet(void *context, hd_packet **packet)
{
    const state_section *self = context;
    hd_packet header;
    *packet = NULL;
    if (!state_bytes_take_number(self->values))
        return;
    state_bytes_take(self->values, &header, sizeof header);
    hd_packet *made = pool_alloc(&self->engine->outboxes->pool, header.body_capacity);
    if (!made)
        abort(); /* the bytes are not those that were saved */
    *made = header;
    state_bytes_take(self->values, hd_body(made), header.body_bytes);
    *packet = made;
}

static void known_shape(void *context, const char *what, uint64_t value)
{
    (void)context, (void)what, (void)value;
}

hd_state_stream state_saving(state_section *section)
{
    return (hd_state_stream){.context = section, .bytes = save_bytes, .packet = save_packet, .shape = save_shape};
}

hd_state_stream state_restoring(state_section *section)
{
    return (hd_state_stream){
        .context = section, .is_restored = 1, .bytes = restore_bytes, .packet = restore_packet, .shape = known_shape};
}
