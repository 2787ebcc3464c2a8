/* SPDX-License-Identifier: MIT */
/* Private to the debugger: its doors, and the blocks behind them. */
#ifndef HD_DEBUG_DEBUGGER_INTERNAL_H
#define HD_DEBUG_DEBUGGER_INTERNAL_H

#include "debugger.h"
#include "door.h"
#include "hd_debug.h"

enum { DOOR_FIRMWARE, DOOR_KERNELS, DOOR_COUNT };

struct debugger;

/* A block whose threads are debugged. Its groups are numbered behind those of the blocks before it at its door. */
typedef struct debugged {
    struct debugger *debugger;
    uint32_t endpoint;
    uint32_t door;
    hd_block *block;
    const hd_debug *ability;
    uint32_t first_group;
    uint32_t groups;
} debugged;

/* Of a transaction, to a place that is watched: what it writes is there when the transaction commits. */
typedef struct deferred_write deferred_write;

struct debugger {
    debugger_setup setup;
    hd_machine *machine;
    hd_engine *engine;
    debugged *blocks;
    uint32_t block_count;
    uint32_t is_over; /* killed */
    uint64_t focus;   /* thread of the kernels that stopped last */
    uint64_t behind;  /* thread that is shown behind the instruction at which its block shows it; 0: none */
    debug_door doors[DOOR_COUNT];
    deferred_write *deferred;
    uint32_t deferred_count, deferred_capacity;
};

/* What a thread number means: a lane of a group of a block. */
typedef struct place_of_thread {
    const debugged *at; /* NULL: none */
    uint32_t group, lane;
} place_of_thread;

/* Threads of kernels: TARGET_ANY, and from here on HD_DEBUG_LANES_MAX numbers for each group. */
#define FIRST_LANE HD_DEBUG_LANES_MAX

static inline uint64_t thread_of_lane(const debugged *at, uint32_t group, uint32_t lane)
{
    return FIRST_LANE + (uint64_t)(at->first_group + group) * HD_DEBUG_LANES_MAX + lane;
}

/* debugger.c: a thread stops, if its gdb waits for that. Returns when it may go on. in_front: of an instruction. */
void debugger_stop(struct debugger *self, debug_door *door, const debug_stop *stop, uint32_t in_front);

/* watches.c: watchpoints of kernels, as hd_debug_listener has it; the context is a debugged */
uint64_t watches_ask(void *context, const hd_debug_moment *moment);
void watches_tell(void *context, const hd_debug_moment *moment);
/* Has a transaction written by now what a stop waits for? */
void watches_look(struct debugger *self);

/* firmware_target.c, kernel_target.c: for the door; `context` is the debugger. */
debug_target firmware_target(struct debugger *self);
debug_target kernel_target(struct debugger *self);

/* targets.c: what the two share */
const debugged *debugger_first(const struct debugger *self, uint32_t door);
uint32_t debugger_memory(const struct debugger *self, place_of_thread thread, uint64_t address, void *data,
                         uint32_t bytes, uint32_t is_write);
void debugger_command(const struct debugger *self, const char *words, char *answer, size_t bytes);

/* Rows of target_register that all targets have: the integer registers of RISC-V, and pc. */
#define DEBUG_REGISTER(name, type, bytes, number)                                                                      \
    {                                                                                                                  \
        name, "org.gnu.gdb.riscv.cpu", type, bytes, number                                                             \
    }
#define DEBUG_INTEGER_REGISTERS(bytes)                                                                                 \
    DEBUG_REGISTER("zero", "int", bytes, 0), DEBUG_REGISTER("ra", "code_ptr", bytes, 1),                               \
        DEBUG_REGISTER("sp", "data_ptr", bytes, 2), DEBUG_REGISTER("gp", "data_ptr", bytes, 3),                        \
        DEBUG_REGISTER("tp", "data_ptr", bytes, 4), DEBUG_REGISTER("t0", "int", bytes, 5),                             \
        DEBUG_REGISTER("t1", "int", bytes, 6), DEBUG_REGISTER("t2", "int", bytes, 7),                                  \
        DEBUG_REGISTER("fp", "data_ptr", bytes, 8), DEBUG_REGISTER("s1", "int", bytes, 9),                             \
        DEBUG_REGISTER("a0", "int", bytes, 10), DEBUG_REGISTER("a1", "int", bytes, 11),                                \
        DEBUG_REGISTER("a2", "int", bytes, 12), DEBUG_REGISTER("a3", "int", bytes, 13),                                \
        DEBUG_REGISTER("a4", "int", bytes, 14), DEBUG_REGISTER("a5", "int", bytes, 15),                                \
        DEBUG_REGISTER("a6", "int", bytes, 16), DEBUG_REGISTER("a7", "int", bytes, 17),                                \
        DEBUG_REGISTER("s2", "int", bytes, 18), DEBUG_REGISTER("s3", "int", bytes, 19),                                \
        DEBUG_REGISTER("s4", "int", bytes, 20), DEBUG_REGISTER("s5", "int", bytes, 21),                                \
        DEBUG_REGISTER("s6", "int", bytes, 22), DEBUG_REGISTER("s7", "int", bytes, 23),                                \
        DEBUG_REGISTER("s8", "int", bytes, 24), DEBUG_REGISTER("s9", "int", bytes, 25),                                \
        DEBUG_REGISTER("s10", "int", bytes, 26), DEBUG_REGISTER("s11", "int", bytes, 27),                              \
        DEBUG_REGISTER("t3", "int", bytes, 28), DEBUG_REGISTER("t4", "int", bytes, 29),                                \
        DEBUG_REGISTER("t5", "int", bytes, 30), DEBUG_REGISTER("t6", "int", bytes, 31),                                \
        DEBUG_REGISTER("pc", "code_ptr", bytes, HD_DEBUG_PC)

#endif
