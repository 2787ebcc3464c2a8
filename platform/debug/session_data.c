/* SPDX-License-Identifier: MIT */
/* Registers and memory, little-endian. */
#include "session_internal.h"

static void add_register(debug_session *session, const target_register *r)
{
    const debug_target *target = session->target;
    uint64_t value;
    if (target->read_register(target->context, session->thread, r->number, &value))
        reply_digits(session, &value, r->bytes);
    else
        reply_add(session, "%.*s", (int)(2 * r->bytes), "xxxxxxxxxxxxxxxx");
}

static uint32_t write_register(debug_session *session, const target_register *r, const char *digits)
{
    const debug_target *target = session->target;
    uint64_t value = 0;
    return packet_bytes(digits, &value, r->bytes) &&
           target->write_register(target->context, session->thread, r->number, value);
}

void gdb_session_read_registers(debug_session *session)
{
    for (uint32_t i = 0; i < session->target->register_count; i++)
        add_register(session, &session->target->registers[i]);
}

/* What cannot be written, or is not known, stays as it is. */
void gdb_session_write_registers(debug_session *session, const char *words)
{
    for (uint32_t i = 0; i < session->target->register_count; i++) {
        const target_register *r = &session->target->registers[i];
        if (strnlen(words, 2 * r->bytes) < 2 * r->bytes)
            break;
        write_register(session, r, words);
        words += 2 * r->bytes;
    }
    reply_ok(session);
}

static const target_register *register_named(debug_session *session, const char **words)
{
    uint64_t number;
    if (packet_number(words, &number) && number < session->target->register_count)
        return &session->target->registers[number];
    return NULL;
}

void gdb_session_read_register(debug_session *session, const char *words)
{
    const target_register *r = register_named(session, &words);
    if (r)
        add_register(session, r);
    else
        reply_error(session, 1);
}

void gdb_session_write_register(debug_session *session, const char *words)
{
    const target_register *r = register_named(session, &words);
    if (!r || *words++ != '=' || strlen(words) != 2 * r->bytes)
        reply_error(session, 1);
    else if (write_register(session, r, words))
        reply_ok(session);
    else
        reply_error(session, 2);
}

static uint32_t read_range(const char **words, uint64_t *address, uint64_t *bytes)
{
    return packet_number(words, address) && *(*words)++ == ',' && packet_number(words, bytes);
}

/* As much as there is, of what is asked for. */
void gdb_session_read_memory(debug_session *session, const char *words)
{
    const debug_target *target = session->target;
    uint8_t data[PACKET_BYTES_MAX / 2];
    uint64_t address, bytes;
    if (!read_range(&words, &address, &bytes)) {
        reply_error(session, 1);
        return;
    }
    const uint32_t wanted = bytes < sizeof data ? (uint32_t)bytes : (uint32_t)sizeof data;
    const uint32_t count = target->read_memory(target->context, session->thread, address, data, wanted);
    if (count || !wanted)
        reply_digits(session, data, count);
    else
        reply_error(session, 2);
}

void gdb_session_write_memory(debug_session *session, const char *words, size_t count, uint32_t is_binary)
{
    const debug_target *target = session->target;
    const char *const end = words + count;
    uint8_t data[PACKET_BYTES_MAX / 2];
    const void *from = data;
    uint64_t address, bytes;
    if (!read_range(&words, &address, &bytes) || *words++ != ':' || bytes > PACKET_BYTES_MAX ||
        (size_t)(end - words) != bytes * (is_binary ? 1 : 2) || (!is_binary && !packet_bytes(words, data, bytes))) {
        reply_error(session, 1);
        return;
    }
    if (is_binary)
        from = words;
    if (!bytes || target->write_memory(target->context, session->thread, address, from, (uint32_t)bytes) == bytes)
        reply_ok(session);
    else
        reply_error(session, 2);
}
