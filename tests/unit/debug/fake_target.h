/* SPDX-License-Identifier: MIT */
/* Threads 1 to 3 with two registers, of which the second is not known of thread 2, and 64 bytes of memory from 0x100 on. */
#ifndef FAKE_TARGET_H
#define FAKE_TARGET_H

#include "gdb_session.h"

typedef struct fake_target {
    uint64_t registers[4][2];
    uint8_t memory[64];
    uint64_t stopped;
} fake_target;

debug_target fake_target_of(fake_target *fake);

/* What a session with it answers to a packet whose text this is, as text; "" = nothing at all. Valid until the next one. */
const char *fake_ask(debug_session *session, const char *packet);
/* The texts of all packets that have gone out since the last time. */
const char *fake_sent(debug_session *session);

#endif
