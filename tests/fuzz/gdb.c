/* SPDX-License-Identifier: MIT */
/*
 * What a gdb may send. An input is a packet per line, which gets its frame here, so that what is inside is reached; a line that
 * begins with "!" is bytes as they are, one with "." lets the thread of its number stop. Whatever comes, what goes out is packets.
 */
#include <stdlib.h>
#include <string.h>

#include "../unit/debug/fake_target.h"
#include "fuzz.h"

static void require_packets(debug_session *session)
{
    static packet_reader reader;
    memset(&reader, 0, sizeof reader);
    for (size_t i = 0; i < session->output.count; i++) {
        const enum packet_event event = packet_take(&reader, (uint8_t)session->output.bytes[i]);
        fuzz_require(event == PACKET_NOTHING || event == PACKET_COMPLETE || event == PACKET_REPEAT, "%d", (int)event);
    }
    fuzz_require(!reader.state, "a packet has no end");
    session->output.count = 0;
}

static void take_line(debug_session *session, const char *line)
{
    packet_output framed = {0};
    if (*line == '.' && session->state == SESSION_RUNNING) {
        const debug_stop stop = {.reason = STOP_TRAP, .thread = 1 + (uint8_t)line[1] % 3};
        gdb_session_stop(session, &stop, line[1] & 1);
    } else if (*line == '!')
        gdb_session_take(session, line + 1, strlen(line + 1));
    else {
        packet_output_frame(&framed, line, strlen(line));
        gdb_session_take(session, framed.bytes, framed.count);
    }
    packet_output_free(&framed);
    fuzz_require(session->stops.place_count <= STOPS_MAX, "%u", session->stops.place_count);
}

void fuzz_one(fuzz_input input)
{
    fake_target fake = {0};
    const debug_target target = fake_target_of(&fake);
    debug_session *session = malloc(sizeof *session);
    char *line;
    gdb_session_begin(session, &target);
    while ((line = fuzz_line(&input))) {
        take_line(session, line);
        free(line);
        require_packets(session);
    }
    gdb_session_end(session);
    free(session);
}
