/* SPDX-License-Identifier: MIT */
#include "session_internal.h"

#define THREADS_LISTED 256u /* in one packet */

uint32_t gdb_session_read_thread(const char **words, uint64_t *thread)
{
    if (skip_prefix(words, "-1")) {
        *thread = UINT64_MAX;
        return 1;
    }
    return packet_number(words, thread);
}

static void list_threads(debug_session *session, uint64_t after)
{
    const debug_target *target = session->target;
    uint64_t thread = target->next_thread(target->context, after);
    reply_add(session, thread ? "m" : "l");
    for (uint32_t i = 0; thread && i < THREADS_LISTED; i++) {
        reply_add(session, "%s%llx", i ? "," : "", (unsigned long long)thread);
        session->listed = thread;
        thread = target->next_thread(target->context, thread);
    }
}

static void tell_more(debug_session *session, const char *words)
{
    char text[256] = "";
    uint64_t thread;
    if (!gdb_session_read_thread(&words, &thread)) {
        reply_error(session, 1);
        return;
    }
    session->target->describe(session->target->context, thread, text, sizeof text);
    reply_digits(session, text, strlen(text));
}

/* offset "," bytes of a text */
static void transfer(debug_session *session, const char *words, const char *text)
{
    const size_t all = strlen(text);
    uint64_t offset, bytes;
    if (!packet_number(&words, &offset) || *words++ != ',' || !packet_number(&words, &bytes) || offset > all) {
        reply_error(session, 1);
        return;
    }
    const size_t room = PACKET_BYTES_MAX / 2, left = all - (size_t)offset;
    size_t count = bytes < room ? (size_t)bytes : room;
    count = count < left ? count : left;
    reply_add(session, "%c%.*s", count < left ? 'm' : 'l', (int)count, text + offset);
}

static void command(debug_session *session, const char *digits)
{
    char words[256] = "", answer[PACKET_BYTES_MAX / 4] = "";
    const size_t count = strlen(digits) / 2;
    if (count >= sizeof words || !packet_bytes(digits, words, count)) {
        reply_error(session, 1);
        return;
    }
    session->target->command(session->target->context, words, answer, sizeof answer);
    if (*answer)
        reply_digits(session, answer, strlen(answer));
    else
        reply_ok(session);
}

void gdb_session_query(debug_session *session, const char *words)
{
    if (skip_prefix(&words, "Supported"))
        reply_add(session, "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;vContSupported+", PACKET_BYTES_MAX);
    else if (skip_prefix(&words, "Xfer:features:read:target.xml:"))
        transfer(session, words, session->description);
    else if (skip_prefix(&words, "fThreadInfo"))
        list_threads(session, 0);
    else if (skip_prefix(&words, "sThreadInfo"))
        list_threads(session, session->listed);
    else if (skip_prefix(&words, "ThreadExtraInfo,"))
        tell_more(session, words);
    else if (skip_prefix(&words, "Rcmd,"))
        command(session, words);
    else if (skip_prefix(&words, "Attached"))
        reply_add(session, "1");
    else if (strcmp(words, "C") == 0)
        reply_add(session, "QC%llx", (unsigned long long)session->stop.thread);
}
