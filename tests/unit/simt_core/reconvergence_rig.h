/* SPDX-License-Identifier: MIT */
/* One reconvergence unit of one warp or more, driven as the pipeline would. Warp 0 unless said otherwise. */
#ifndef RECONVERGENCE_RIG_H
#define RECONVERGENCE_RIG_H

#include "instruction.h"
#include "reconvergence_units.h"
#include "stack.h"

#define NO_POINT NO_STOP, 0
#define AT_RETURN ISA_RECONVERGE_AT_RETURN

#define RIG_VALUES 16u /* parameters that a unit may have; statistics: twice as many */

typedef struct rig {
    const reconvergence_unit *unit;
    reconvergence *state;
    uint32_t added;
    uint32_t changed;
    uint32_t removed;
    uint32_t regrouped;
    uint32_t last_path; /* of the last event */
    uint64_t busy;      /* paths that do not stand between two instructions, of the first 64 */
    uint64_t counters[2 * RIG_VALUES];
    hd_value values[RIG_VALUES];
} rig;

/* An entry as tables write it. */
typedef struct row {
    uint32_t pc;
    uint32_t depth;
    uint32_t stop_pc;
    uint32_t stop_depth;
    uint64_t mask;
} row;

/* Of the events that are told. */
extern uint64_t rig_cycle;

/* The path's lanes go where groups say; what the unit learns of it, it learns from here. */
void tell_transfer(const reconvergence_unit *unit, reconvergence *state, uint32_t path, const path_group *groups,
                   uint32_t group_count, uint32_t reconvergence_pc);
/* The same at a branch with a likely-convergence point; 0: without. */
void tell_branch(const reconvergence_unit *unit, reconvergence *state, uint32_t path, const path_group *groups,
                 uint32_t group_count, uint32_t reconvergence_pc, uint32_t likely_pc);
/* It has come to its stop point. */
void tell_arrive(const reconvergence_unit *unit, reconvergence *state, uint32_t path);
/* Lanes of it are done. */
void tell_exit(const reconvergence_unit *unit, reconvergence *state, uint32_t path, uint64_t mask);

/* The rig must stay where it is: the unit keeps its address. */
void rig_start(rig *r, const reconvergence_unit *unit, uint32_t warps, uint32_t lanes, uint32_t first);
/* With these parameters of the unit; `first` is the first one. */
void rig_start_with(rig *r, const reconvergence_unit *unit, uint32_t warps, uint32_t lanes, const hd_value *values);
void rig_stop(rig *r);
/* Of a block of this warp alone. */
void rig_launch(rig *r, uint32_t warp, uint32_t pc, uint64_t mask);
void rig_save(const rig *r, uint32_t warp, byte_stream *stream);
uint32_t rig_restore(rig *r, uint32_t warp, byte_stream *stream);
void rig_drop(rig *r, uint32_t warp);
path *rig_path(const rig *r);

/* Straight-line code up to pc. */
void rig_run(rig *r, uint32_t pc);
void rig_branch(rig *r, uint32_t taken_pc, uint64_t taken, uint32_t other_pc, uint32_t reconvergence_pc);
/* The same with a likely-convergence point. */
void rig_branch_likely(rig *r, uint32_t taken_pc, uint64_t taken, uint32_t other_pc, uint32_t reconvergence_pc,
                       uint32_t likely_pc);
void rig_jump(rig *r, uint32_t pc);
void rig_call(rig *r, uint32_t pc);
/* Lanes `mask` return to pc, the other lanes of the path to other_pc. */
void rig_return(rig *r, uint32_t pc, uint64_t mask, uint32_t other_pc);
void rig_exit(rig *r, uint64_t mask);

/* The whole stack, bottom first, and the path that mirrors its top. */
void rig_expect(const rig *r, int line, const row *rows, uint32_t count);
#define EXPECT_STACK(r, ...)                                                                                           \
    rig_expect(r, __LINE__, (const row[]){__VA_ARGS__}, sizeof((const row[]){__VA_ARGS__}) / sizeof(row))

#endif
