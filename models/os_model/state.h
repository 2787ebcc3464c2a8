/* SPDX-License-Identifier: MIT */
#ifndef OS_MODEL_STATE_H
#define OS_MODEL_STATE_H

#include "hd_extension.h"
#include "hd_message.h"
#include "hd_tables.h"
#include "hd_thread.h"
#include "hd_work.h"
#include "loading.h"

#define OS_CORES_MAX 64u
#define OS_THREADS_MAX 64u
#define OS_ARGUMENTS_MAX 6u
#define OS_NOBODY UINT32_MAX
#define OS_WRITE_BYTES 256u /* of a write while a program is loaded */

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc) */
#define OS_PARAMETERS(X)                                                                                               \
    X(PROGRAM, "program", TEXT, UNITLESS, "", 0, 0, NULL,                                                              \
      "the program that every thread runs: the name of one that comes with Heddle, or the path of an ELF file")        \
    X(ARGUMENTS, "arguments", TEXT, UNITLESS, "", 0, 0, NULL, "up to six numbers that it finds in a0 to a5")           \
    X(THREADS, "threads", UNSIGNED, UNITLESS, "1", 1, OS_THREADS_MAX, NULL, "threads; each has its number in a6")      \
    X(MEMORY, "memory", UNSIGNED, BYTES, "64 MiB", 65536, 0xE0000000, NULL,                                            \
      "memory of a thread, with the program at its beginning and the stack at its end")                                \
    X(POLICY, "policy", CHOICE, UNITLESS, "stay", 0, 0, "stay|random",                                                 \
      "a thread stays where it began, or is asked to move at random times; calls of the program are served either "    \
      "way")                                                                                                           \
    X(PERIOD, "period", UNSIGNED, CYCLES, "10000 cycles", 1, 0, NULL,                                                  \
      "random: mean time between two such requests; of a core that is to be switched off: time between two attempts")  \
    X(MOVES, "moves", UNSIGNED, UNITLESS, "0", 0, 0, NULL,                                                             \
      "random: moves, after which there are no others; 0: no limit")                                                   \
    X(ILLEGAL, "illegal", BOOLEAN, UNITLESS, "false", 0, 0, NULL,                                                      \
      "random: threads move although they are pinned, and their results are wrong; to show that pinning is needed")    \
    X(PINNED_POWER, "power.pinned", CHOICE, UNITLESS, "refuse", 0, 0, "refuse|defer",                                  \
      "a core whose thread can go nowhere is to be switched off: it stays on, or goes off as soon as it can")

enum os_parameter { OS_PARAMETERS(HD_PARAMETER_NUMBER) PARAMETER_COUNT };

/* X(identifier, name, unit, kind, doc) */
#define OS_STATISTICS(X)                                                                                               \
    X(loaded_bytes, "loaded_bytes", "bytes", COUNT, "bytes of programs written to memory")                             \
    X(threads_started, "threads_started", "threads", COUNT, "threads started")                                         \
    X(threads_ended, "threads_ended", "threads", COUNT, "threads that have ended")                                     \
    X(calls, "calls", "calls", COUNT, "calls by threads")                                                              \
    X(requests, "requests", "requests", COUNT, "requests to threads to move")                                          \
    X(moves, "moves", "threads", COUNT, "threads that have moved")                                                     \
    X(widened, "widened", "threads", COUNT, "... to a core of longer vectors")                                         \
    X(narrowed, "narrowed", "threads", COUNT, "... of shorter vectors")                                                \
    X(forced, "forced", "threads", COUNT, "... that were pinned to more")                                              \
    X(pinned_moves, "pinned_moves", "threads", COUNT, "... that were pinned, and took their vector registers along")   \
    X(refused, "refused", "requests", COUNT, "requests refused, since the thread is pinned")                           \
    X(moved_bytes, "moved_bytes", "bytes", COUNT, "state of threads that moved")                                       \
    X(switched_off, "switched_off", "cores", COUNT, "cores switched off")                                              \
    X(power_refused, "power_refused", "requests", COUNT, "requests to switch off a core that were refused")            \
    X(power_deferred, "power_deferred", "requests", COUNT, "... that were deferred")                                   \
    X(unplaced_cycles, "unplaced_cycles", "cycles", COUNT, "cycles in which a thread waited for a core")

typedef struct os_counters {
    OS_STATISTICS(HD_COUNTER)
} os_counters;

enum { POLICY_STAY, POLICY_RANDOM };
enum { POWER_REFUSE, POWER_DEFER };
enum { PORT_COMMANDS, PORT_EVENTS, PORT_MEMORY, PORT_COUNT };
enum {
    MESSAGE_CORE_VECTOR,
    MESSAGE_RUN,
    MESSAGE_VECTOR,
    MESSAGE_STOPPED,
    MESSAGE_MOVE,
    MESSAGE_REFUSED,
    MESSAGE_CALL,
    MESSAGE_RETURN,
    MESSAGE_TRAP,
    MESSAGE_WRITE,
    MESSAGE_RESPONSE,
    MESSAGE_COUNT
};

enum thread_status {
    THREAD_WAITING,  /* its context is here, and no core has room */
    THREAD_RUNNING,  /* on its core, or on the way there */
    THREAD_ASKED,    /* ... and was asked to move to its target */
    THREAD_COMING,   /* its vector registers are on their way here */
    THREAD_ENTERING, /* they are on their way to its core */
    THREAD_ENDED
};

/* Whose request a move was. */
enum asker { ASKED_BY_POLICY, ASKED_BY_CALL, ASKED_BY_POWER, ASKED_BY_POWER_AGAIN };

typedef struct os_thread {
    hd_thread_context context;
    uint8_t *vectors;
    uint32_t vectors_done; /* bytes, of those that come or go */
    enum thread_status status;
    uint32_t core;
    uint32_t target;
    enum asker asker;
    uint32_t forced;
    uint32_t calls;  /* it waits for an answer of a call */
    uint32_t answer; /* to be sent, if has_answer */
    uint32_t has_answer;
    uint32_t power_caller; /* thread whose call switches a core off */
    uint32_t run_sent;
} os_thread;

typedef struct os_core {
    hd_link *commands, *events;
    uint32_t bits; /* 0: it has not said */
    uint32_t is_on;
    uint32_t goes_off; /* as soon as it can */
    uint32_t thread;   /* on it, or on the way to it */
} os_core;

typedef struct os_model {
    const hd_services *services;
    hd_value values[PARAMETER_COUNT];
    uint32_t messages[MESSAGE_COUNT];
    hd_link *memory_out, *memory_in;
    hd_cursor cursor;
    uint64_t accounted;
    isa_program *program;
    uint32_t arguments[OS_ARGUMENTS_MAX];

    os_core cores[OS_CORES_MAX];
    uint32_t core_count;
    os_thread threads[OS_THREADS_MAX];

    uint32_t loading_thread, loading_segment;
    uint32_t loading_offset;
    uint32_t writes; /* without an answer */
    uint32_t has_started;
    uint64_t next_request; /* edge */
    uint32_t faulted;
    os_counters counters;
} os_model;

static inline uint64_t value_of(const os_model *self, uint32_t parameter)
{
    return self->values[parameter].u;
}
static inline uint32_t os_thread_count(const os_model *self)
{
    return (uint32_t)value_of(self, PARAMETER_THREADS);
}

/* ---- load.c: programs to memory ------------------------------------------------------------------------------------------ */
void os_load(os_model *self, hd_time t);
uint32_t os_is_loaded(const os_model *self);

/* ---- threads.c: starting, moving and ending threads ----------------------------------------------------------------------- */
void os_start(os_model *self);
/* Threads that wait get cores; what is to be sent is sent. */
void os_dispatch(os_model *self, hd_time t);
/* The thread is asked to move. 0: its core cannot be told now. */
uint32_t os_ask(os_model *self, uint32_t thread, uint32_t target, enum asker asker, uint32_t forced, hd_time t);
void os_answer(os_model *self, uint32_t thread, uint32_t answer);
/* A core that is on and free, of the longest vectors; OS_NOBODY: there is none. */
uint32_t os_widest_free(const os_model *self);
uint32_t os_is_free(const os_model *self, uint32_t core);
void os_take_events(os_model *self, hd_time t);
void os_fault(os_model *self, hd_time t, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- calls.c ---------------------------------------------------------------------------------------------------------------- */
void os_take_call(os_model *self, uint32_t thread, const hd_thread_call *call, hd_time t);
/* A thread has been refused, or has left; what was asked for by a call is answered. */
void os_move_refused(os_model *self, uint32_t thread, hd_time t);
void os_move_done(os_model *self, uint32_t thread, uint32_t from);
void os_switch_off(os_model *self, uint32_t core);

/* Nothing of the thread is under way: it may be asked to move. */
static inline uint32_t os_is_settled(const os_thread *thread)
{
    return thread->status == THREAD_RUNNING && !thread->calls && !thread->has_answer;
}

/* ---- policy.c --------------------------------------------------------------------------------------------------------------- */
void os_policy(os_model *self, hd_time t);
/* Edge of its next request; UINT64_MAX: none. */
uint64_t os_policy_edge(const os_model *self);
void os_policy_reset(os_model *self);
/* A core is to go off: not before a period from now is its thread asked again. */
void os_policy_wait(os_model *self);

#endif
