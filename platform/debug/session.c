/* SPDX-License-Identifier: MIT */
#include "session_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Replies --------------------------------------------------------------------------------------------------------- */

void reply_add(debug_session *session, const char *format, ...)
{
    const size_t room = sizeof session->reply - session->reply_count;
    va_list arguments;
    va_start(arguments, format);
    const int count = vsnprintf(session->reply + session->reply_count, room, format, arguments);
    va_end(arguments);
    session->reply_count += (size_t)count < room ? (size_t)count : room - 1;
}

void reply_digits(debug_session *session, const void *bytes, size_t count)
{
    const size_t room = (sizeof session->reply - 1 - session->reply_count) / 2;
    const size_t fits = count < room ? count : room;
    packet_digits(bytes, fits, session->reply + session->reply_count);
    session->reply_count += 2 * fits;
}

static void send_reply(debug_session *session)
{
    session->sent.count = 0;
    packet_output_frame(&session->sent, session->reply, session->reply_count);
    packet_output_add(&session->output, session->sent.bytes, session->sent.count);
}

/* ---- Packets --------------------------------------------------------------------------------------------------------- */

static void set_thread(debug_session *session, const char *words)
{
    const char letter = *words;
    uint64_t thread;
    if ((letter != 'c' && letter != 'g') || (words++, !gdb_session_read_thread(&words, &thread))) {
        reply_error(session, 1);
        return;
    }
    if (thread && thread != UINT64_MAX && !session->target->is_alive(session->target->context, thread)) {
        reply_error(session, 3);
        return;
    }
    if (thread == UINT64_MAX || !thread)
        thread = letter == 'c' ? 0 : session->stop.thread;
    if (letter == 'c')
        session->step_thread = thread;
    else
        session->thread = thread;
    reply_ok(session);
}

static void tell_alive(debug_session *session, const char *words)
{
    uint64_t thread;
    if (gdb_session_read_thread(&words, &thread) && session->target->is_alive(session->target->context, thread))
        reply_ok(session);
    else
        reply_error(session, 3);
}

/* "Z" or "z" kind "," address "," bytes */
static void place(debug_session *session, const char *words, uint32_t inserts)
{
    uint64_t kind, address, bytes;
    if (!packet_number(&words, &kind) || *words++ != ',' || !packet_number(&words, &address) || *words++ != ',' ||
        !packet_number(&words, &bytes) || bytes > UINT32_MAX) {
        reply_error(session, 1);
        return;
    }
    if (kind > 4 || (kind > 1 && !session->target->watches))
        return; /* with nothing: it is not known */
    const debug_place at = {.kind = (uint32_t)kind, .bytes = (uint32_t)bytes, .address = address};
    if (!inserts)
        stops_remove(&session->stops, &at);
    else if (!stops_insert(&session->stops, &at)) {
        reply_error(session, 2);
        return;
    }
    reply_ok(session);
}

/* 0: there is no answer now. */
static uint32_t answer_v(debug_session *session, const char *words)
{
    if (skip_prefix(&words, "Cont?"))
        reply_add(session, "vCont;c;C;s;S;r");
    else if (skip_prefix(&words, "Cont;"))
        return gdb_session_resume_threads(session, words);
    else if (skip_prefix(&words, "Kill")) {
        session->state = SESSION_KILLED;
        reply_ok(session);
    }
    return 1;
}

/* 0: there is no answer now, or ever. An empty one says that the packet is not known. */
static uint32_t answer(debug_session *session, const char *packet, size_t count)
{
    const char *words = packet + 1;
    switch (packet[0]) {
    case '?': gdb_session_reply_stop(session); break;
    case 'q': gdb_session_query(session, words); break;
    case 'Q':
        if (strcmp(words, "StartNoAckMode") == 0) {
            session->without_acknowledgements = 1;
            reply_ok(session);
        }
        break;
    case 'v': return answer_v(session, words);
    case 'H': set_thread(session, words); break;
    case 'T': tell_alive(session, words); break;
    case 'g': gdb_session_read_registers(session); break;
    case 'G': gdb_session_write_registers(session, words); break;
    case 'p': gdb_session_read_register(session, words); break;
    case 'P': gdb_session_write_register(session, words); break;
    case 'm': gdb_session_read_memory(session, words); break;
    case 'M': gdb_session_write_memory(session, words, count - 1, 0); break;
    case 'X': gdb_session_write_memory(session, words, count - 1, 1); break;
    case 'Z': place(session, words, 1); break;
    case 'z': place(session, words, 0); break;
    case 'c':
    case 's':
    case 'C':
    case 'S': return gdb_session_resume(session, packet[0], words);
    case 'D':
        session->state = SESSION_DETACHED;
        reply_ok(session);
        break;
    case 'k': session->state = SESSION_KILLED; return 0;
    default: break;
    }
    return 1;
}

static void take_packet(debug_session *session)
{
    const uint32_t acknowledges = !session->without_acknowledgements;
    if (acknowledges)
        packet_output_add(&session->output, "+", 1);
    session->reply_count = 0;
    if (session->state != SESSION_STOPPED)
        return; /* who waits for a stop has nothing to say but Ctrl-C */
    if (!session->reader.count || answer(session, session->reader.bytes, session->reader.count))
        send_reply(session);
}

static void take_event(debug_session *session, enum packet_event event)
{
    switch (event) {
    case PACKET_COMPLETE: take_packet(session); break;
    case PACKET_DAMAGED:
        if (!session->without_acknowledgements)
            packet_output_add(&session->output, "-", 1);
        break;
    case PACKET_TOO_LONG:
        if (!session->without_acknowledgements)
            packet_output_add(&session->output, "+", 1);
        session->reply_count = 0;
        reply_error(session, 2);
        send_reply(session);
        break;
    case PACKET_REPEAT:
        if (!session->without_acknowledgements)
            packet_output_add(&session->output, session->sent.bytes, session->sent.count);
        break;
    case PACKET_INTERRUPT: session->stops.interrupted = session->state == SESSION_RUNNING; break;
    default: break;
    }
}

void gdb_session_take(debug_session *session, const void *bytes, size_t count)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < count && session->state < SESSION_DETACHED; i++)
        take_event(session, packet_take(&session->reader, from[i]));
}

/* ---- From outside ----------------------------------------------------------------------------------------------------- */

void gdb_session_begin(debug_session *session, const debug_target *target)
{
    memset(session, 0, sizeof *session);
    session->target = target;
    session->description = describe_target(target);
    session->thread = target->next_thread(target->context, 0);
    session->stop = (debug_stop){.reason = STOP_TRAP, .thread = session->thread};
}

void gdb_session_end(debug_session *session)
{
    packet_output_free(&session->output);
    packet_output_free(&session->sent);
    free(session->description);
    session->description = NULL;
}

void gdb_session_stop(debug_session *session, const debug_stop *stop, uint32_t in_front)
{
    session->stop = *stop;
    session->in_front = in_front;
    session->thread = stop->thread;
    session->step_thread = 0;
    session->state = SESSION_STOPPED;
    session->stops.interrupted = 0;
    session->target->stopped(session->target->context, stop->thread);
    session->reply_count = 0;
    gdb_session_reply_stop(session);
    send_reply(session);
}

void gdb_session_say(debug_session *session, const char *text)
{
    session->reply_count = 0;
    reply_add(session, "O");
    reply_digits(session, text, strlen(text));
    send_reply(session);
}

void gdb_session_exit(debug_session *session, uint32_t code)
{
    session->state = SESSION_DETACHED;
    session->reply_count = 0;
    reply_add(session, "W%02x", code & 0xFF);
    send_reply(session);
}
