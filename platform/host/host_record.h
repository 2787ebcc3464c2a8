/* SPDX-License-Identifier: MIT */
/*
 * What native programs have been told so far. The stack of a program cannot be saved; but a program that is told the same again does the
 * same again, up to where it was (hd_state.h).
 */
#ifndef HD_HOST_RECORD_H
#define HD_HOST_RECORD_H

#include "hd_state.h"
#include "host_call.h"
#include "shared_memory.h"

/* Bytes that others have written to memory of a program. */
typedef struct host_shared_write {
    uint64_t address; /* on the host bus */
    uint32_t bytes;
    uint32_t reserved;
    uint8_t *data; /* NULL: not taken yet */
} host_shared_write;

/* One after another: a program was resumed, its call being answered. */
typedef struct host_turn {
    uint32_t program;
    uint32_t write_count;
    host_call call;            /* HOST_CALL_NONE: it began. No memory of the program's */
    uint64_t digest;           /* of what a WRITE wrote */
    uint8_t *read;             /* what a READ was answered */
    host_shared_write *writes; /* before it went on */
} host_turn;

typedef struct host_record {
    uint32_t is_kept; /* 0: nothing is noted */
    uint32_t turn_count;
    host_turn *turns;
    uint32_t write_count; /* since the last turn */
    uint32_t reserved;
    host_shared_write *writes;
} host_record;

void host_record_release(host_record *record);
/* These bytes are about to be written by others. */
void host_record_write(host_record *record, uint64_t address, uint32_t bytes);
/* The program is about to be resumed. call: answered; NULL: it begins. */
void host_record_turn(host_record *record, uint32_t program, const host_call *call, const shared_memory *shared);

/* Restored, an empty one becomes what was saved. */
void host_record_transfer(host_record *record, const shared_memory *shared, const hd_state_stream *stream);
/* Does the program call what it called in this turn? Then its call is answered, and its memory is as it was. call: NULL, it has
 * not begun, or has ended. */
uint32_t host_record_answer(const host_turn *turn, host_call *call, const shared_memory *shared);
/* What has been written since the last turn, into memory of programs that have come so far. */
void host_record_lay_rest(const host_record *record, const shared_memory *shared);

#endif
