/* SPDX-License-Identifier: MIT */
/* Private to the files of the session: the reply to a packet as it is written, and what answers which packet. */
#ifndef HD_DEBUG_SESSION_INTERNAL_H
#define HD_DEBUG_SESSION_INTERNAL_H

#include "gdb_session.h"

#include <string.h>

/* What does not fit is cut off. */
void reply_add(debug_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
void reply_digits(debug_session *session, const void *bytes, size_t count);
static inline void reply_ok(debug_session *session)
{
    reply_add(session, "OK");
}
/* 01: it was not understood; 02: it cannot be done; 03: there is no such thread */
static inline void reply_error(debug_session *session, uint32_t number)
{
    reply_add(session, "E%02x", number);
}

/* Behind the prefix, if the text has it. */
static inline uint32_t skip_prefix(const char **text, const char *prefix)
{
    const size_t count = strlen(prefix);
    if (strncmp(*text, prefix, count) != 0)
        return 0;
    *text += count;
    return 1;
}

/* ---- session_data.c: g G p P m M X. `words`: behind the letter ------------------------------------------------------ */

void gdb_session_read_registers(debug_session *session);
void gdb_session_write_registers(debug_session *session, const char *words);
void gdb_session_read_register(debug_session *session, const char *words);
void gdb_session_write_register(debug_session *session, const char *words);
void gdb_session_read_memory(debug_session *session, const char *words);
void gdb_session_write_memory(debug_session *session, const char *words, size_t count, uint32_t is_binary);

/* ---- session_queries.c: q..., and what gdb asks at first -------------------------------------------------------------- */

void gdb_session_query(debug_session *session, const char *words);
uint32_t gdb_session_read_thread(const char **words, uint64_t *thread); /* 0 any, UINT64_MAX all */

/* ---- gdb_session_resume.c: c s C S vCont, and the reply to it ------------------------------------------------------------- */

/* 0: it answers with nothing until something stops. */
uint32_t gdb_session_resume(debug_session *session, char letter, const char *words);
uint32_t gdb_session_resume_threads(debug_session *session, const char *words);
void gdb_session_reply_stop(debug_session *session);

/* description.c: to be freed */
char *describe_target(const debug_target *target);

#endif
