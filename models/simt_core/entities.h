/* SPDX-License-Identifier: MIT */
/* Paths, warps, threads and thread blocks, as every file of the core sees them. */
#ifndef SIMT_CORE_ENTITIES_H
#define SIMT_CORE_ENTITIES_H

#include "block_threads.h"
#include "counting.h"
#include "hd_block.h"
#include "hd_message.h"
#include "instruction.h"
#include "meeting_points.h"
#include "mistakes.h"
#include "program.h"
#include "virtual_switches.h"

#define NO_SLOT UINT32_MAX

/* What a path is doing. At most one instruction of a path is between fetch and issue. */
enum path_status {
    PATH_NONE,        /* does not exist */
    PATH_FETCH,       /* waits for fetch and decode */
    PATH_FETCH_MISS,  /* its fetch missed in the instruction cache */
    PATH_READY,       /* its instruction can issue */
    PATH_WAIT_RESULT, /* scoreboard: a register that a functional unit will write */
    PATH_WAIT_DATA,   /* scoreboard: a register that a load will write */
    PATH_FENCE,       /* its fence waits for earlier accesses */
    PATH_HELD,        /* its instruction waits for what transactions have in flight */
    PATH_CONTROL,     /* its branch or jump is not resolved yet */
    PATH_DRAIN_RESULT, /* a register that a functional unit will write, before the reconvergence unit is told where its lanes go, */
    PATH_DRAIN_DATA,  /* or one that a load will write */
    PATH_TRANSACTION, /* to begin, commit or retry a transaction */
    PATH_BARRIER,
    PATH_WARP_SYNC,
    PATH_STOPPED, /* with its block; when it goes on it fetches */
    PATH_STATUS_COUNT
};

typedef struct path_state {
    const isa_instruction *instruction; /* fetched, in the instruction buffer, or in execution while PATH_CONTROL */
    uint64_t taken;                     /* PATH_CONTROL of a branch: its outcome */
    path_count count;                   /* of retired instructions */
    union {
        uint64_t since;        /* PATH_FETCH_MISS: edge of the look-up; stalled: cycle of the first event of it */
        uint64_t synchronised; /* PATH_WARP_SYNC: lanes whose warps have all come, others of the path's have not */
    };
    uint32_t sequence;         /* a fetch that carries another number is of an earlier life */
    uint16_t in_flight;        /* instructions issued and not complete */
    uint16_t memory_in_flight; /* those of them in the memory pipe */
    uint16_t acquiring;        /* atomics with acquire in flight: no later access may pass them */
    uint8_t status;
    uint8_t unit; /* that the instruction needs */
    uint8_t scheduler;
    uint8_t barrier;   /* number, while PATH_BARRIER */
    uint16_t reserved; /* no padding: context_members.h */
} path_state;

/* Of a thread that goes from path to path, what path_state has where it does not. */
typedef struct thread_state {
    uint16_t memory_in_flight;
    uint16_t acquiring;
} thread_state;

typedef struct warp_state {
    uint32_t block;         /* slot, NO_SLOT = free */
    uint32_t index;         /* warp in block */
    uint32_t waiting;       /* paths that wait for the scoreboard */
    uint32_t synchronising; /* lanes at warp.sync */
    uint32_t stopped;       /* its paths do not fetch */
    uint32_t reserved;      /* no padding: context_members.h */
    uint64_t *retired;      /* [lane]: instructions, without those of path_state.count */
} warp_state;

/* From running to stopped (context.c). */
enum { STAGE_RUNNING, STAGE_DRAINING, STAGE_FLUSHING, STAGE_STOPPED };

typedef struct block_state {
    hd_block_launch launch;
    const isa_program *program;
    meeting_points points;   /* its tables for the reconvergence unit */
    const uint32_t *commits; /* its table "commit" */
    switch_tables switches;  /* nothing but with ssde=virtual */
    uint64_t tag;
    uint64_t number;   /* launches of this core before it */
    uint32_t resident; /* 0 = the slot is free */
    uint32_t warps;
    uint32_t scratchpad_offset;
    uint32_t scratchpad_taken; /* bytes from there */
    block_threads threads;
    uint32_t releases;  /* of barriers and warp.sync that are due */
    uint32_t stage;     /* STAGE_* */
    uint32_t busy_path; /* which was not done when the block's end was looked for last: a hint */
    uint32_t reserved;  /* no padding: context_members.h */
} block_state;

#endif
