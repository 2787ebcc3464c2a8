/* SPDX-License-Identifier: MIT */
/* Threads go on, and stop. */
#include "session_internal.h"

void gdb_session_reply_stop(debug_session *session)
{
    static const char *const watches[] = {
        [STOP_WATCH] = "watch", [STOP_READ_WATCH] = "rwatch", [STOP_ACCESS_WATCH] = "awatch"};
    const debug_stop *stop = &session->stop;
    const uint32_t signal = stop->reason == STOP_INTERRUPT ? 2u : stop->reason == STOP_FAULT ? stop->signal : 5u;
    reply_add(session, "T%02xthread:%llx;", signal, (unsigned long long)stop->thread);
    if (stop->reason >= STOP_WATCH)
        reply_add(session, "%s:%llx;", watches[stop->reason], (unsigned long long)stop->address);
}

static void go(debug_session *session, uint32_t step, uint64_t thread, uint64_t begin, uint64_t end)
{
    stops_resume(&session->stops, session->in_front ? session->stop.thread : 0, step, thread, begin, end);
    session->state = SESSION_RUNNING;
}

/* At another address nothing goes on: a thread's pc is the machine's. */
uint32_t gdb_session_resume(debug_session *session, char letter, const char *words)
{
    uint64_t number;
    const uint32_t has_signal = letter == 'C' || letter == 'S', steps = letter == 's' || letter == 'S';
    if ((has_signal && !packet_number(&words, &number)) || *words) {
        reply_error(session, *words ? 2 : 1);
        return 1;
    }
    const uint64_t thread = session->step_thread ? session->step_thread : session->thread;
    go(session, steps ? STEP_NEXT : STEP_NONE, thread, 0, 0);
    return 0;
}

typedef struct action {
    uint32_t steps;
    uint64_t thread; /* 0, UINT64_MAX: all that have none of their own */
    uint64_t begin, end;
} action;

static uint32_t read_action(const char **words, action *read)
{
    uint64_t number;
    const char letter = **words;
    *read = (action){.steps = letter == 's' || letter == 'S' || letter == 'r', .thread = UINT64_MAX};
    if (!letter || !strchr("cCsSr", letter))
        return 0;
    ++*words;
    if ((letter == 'C' || letter == 'S') && !packet_number(words, &number))
        return 0;
    if (letter == 'r' &&
        (!packet_number(words, &read->begin) || *(*words)++ != ',' || !packet_number(words, &read->end)))
        return 0;
    return **words != ':' || (++*words, gdb_session_read_thread(words, &read->thread));
}

/* Of several that step, the first one does: gdb asks for one. */
uint32_t gdb_session_resume_threads(debug_session *session, const char *words)
{
    action step = {0}, next;
    uint32_t others = 0;
    do {
        if (!read_action(&words, &next)) {
            reply_error(session, 1);
            return 1;
        }
        others |= next.thread == UINT64_MAX || !next.thread || !next.steps;
        if (next.steps && !step.steps)
            step = next;
    } while (*words == ';' && *++words);
    if (*words) {
        reply_error(session, 1);
        return 1;
    }
    if (step.thread == UINT64_MAX || !step.thread)
        step.thread = session->thread;
    go(session,
       !step.steps          ? STEP_NONE
       : others || step.end ? STEP_NEXT
                            : STEP_ALONE,
       step.thread, step.begin, step.end);
    return 0;
}
