/* SPDX-License-Identifier: MIT */
#include "reconvergence_rig.h"

#include <criterion/criterion.h>
#include <string.h>

uint64_t rig_cycle;

static path_event event_of(const reconvergence_unit *unit, reconvergence *state, uint32_t path, uint32_t kind)
{
    const struct path *p = &unit->paths(state)[path];
    return (path_event){.kind = kind, .path = path, .warp = p->warp, .pc = p->pc, .mask = p->mask, .cycle = rig_cycle};
}

void tell_transfer(const reconvergence_unit *unit, reconvergence *state, uint32_t path, const path_group *groups,
                   uint32_t group_count, uint32_t reconvergence_pc)
{
    tell_branch(unit, state, path, groups, group_count, reconvergence_pc, 0);
}

void tell_branch(const reconvergence_unit *unit, reconvergence *state, uint32_t path, const path_group *groups,
                 uint32_t group_count, uint32_t reconvergence_pc, uint32_t likely_pc)
{
    path_event event = event_of(unit, state, path, PATH_BRANCHED);
    event.taken = groups[0].mask;
    event.target = groups[0].pc;
    event.transfer = PATH_TRANSFER_BRANCH;
    event.groups = groups;
    event.group_count = group_count;
    event.reconvergence_pc = reconvergence_pc;
    event.likely_pc = likely_pc;
    unit->transfer(state, &event);
}

void tell_arrive(const reconvergence_unit *unit, reconvergence *state, uint32_t path)
{
    const path_event event = event_of(unit, state, path, PATH_ARRIVED);
    unit->arrive(state, &event);
}

void tell_exit(const reconvergence_unit *unit, reconvergence *state, uint32_t path, uint64_t mask)
{
    path_event event = event_of(unit, state, path, PATH_EXITED);
    event.mask = mask;
    unit->exit(state, &event);
}

static void on_added(void *context, uint32_t path)
{
    ((rig *)context)->added++;
    ((rig *)context)->last_path = path;
}

static void on_changed(void *context, uint32_t path)
{
    ((rig *)context)->changed++;
    ((rig *)context)->last_path = path;
}

static void on_removed(void *context, uint32_t path)
{
    ((rig *)context)->removed++;
    ((rig *)context)->last_path = path;
}

static void on_regrouped(void *context, uint32_t path)
{
    ((rig *)context)->regrouped++;
    ((rig *)context)->last_path = path;
}

static uint32_t is_between(void *context, uint32_t path)
{
    return path >= 64 || !(((rig *)context)->busy >> path & 1);
}

void rig_start(rig *r, const reconvergence_unit *unit, uint32_t warps, uint32_t lanes, uint32_t first)
{
    const hd_value values[RIG_VALUES] = {{.u = first}};
    rig_start_with(r, unit, warps, lanes, values);
}

void rig_start_with(rig *r, const reconvergence_unit *unit, uint32_t warps, uint32_t lanes, const hd_value *values)
{
    *r = (rig){.unit = unit};
    memcpy(r->values, values, sizeof r->values);
    const reconvergence_parameters parameters = {
        .warps = warps, .lanes = lanes, .share = {.values = r->values, .counters = r->counters}};
    const reconvergence_events events = {.context = r,
                                         .added = on_added,
                                         .changed = on_changed,
                                         .removed = on_removed,
                                         .regrouped = on_regrouped,
                                         .is_between = is_between};
    r->state = unit->create(&parameters, &events);
    cr_assert_not_null(r->state);
}

void rig_stop(rig *r)
{
    r->unit->destroy(r->state);
}

void rig_launch(rig *r, uint32_t warp, uint32_t pc, uint64_t mask)
{
    r->unit->launch(r->state, &(block_warps){&warp, 1}, pc, &mask);
}

void rig_save(const rig *r, uint32_t warp, byte_stream *stream)
{
    r->unit->save(r->state, &(block_warps){&warp, 1}, stream);
}

uint32_t rig_restore(rig *r, uint32_t warp, byte_stream *stream)
{
    return r->unit->restore(r->state, &(block_warps){&warp, 1}, stream);
}

void rig_drop(rig *r, uint32_t warp)
{
    r->unit->drop(r->state, &(block_warps){&warp, 1});
}

path *rig_path(const rig *r)
{
    return &r->unit->paths(r->state)[0];
}

void rig_run(rig *r, uint32_t pc)
{
    path *p = rig_path(r);
    p->pc = pc;
    if (p->pc == p->stop_pc && p->depth == p->stop_depth) {
        tell_arrive(r->unit, r->state, 0);
    }
}

/* Both sides, those without lanes left out. */
static void transfer(rig *r, path_group first, path_group second, uint32_t reconvergence_pc, uint32_t likely_pc)
{
    path_group groups[2];
    uint32_t count = 0;
    if (first.mask) {
        groups[count++] = first;
    }
    if (second.mask) {
        groups[count++] = second;
    }
    tell_branch(r->unit, r->state, 0, groups, count, reconvergence_pc, likely_pc);
}

void rig_branch_likely(rig *r, uint32_t taken_pc, uint64_t taken, uint32_t other_pc, uint32_t reconvergence_pc,
                       uint32_t likely_pc)
{
    const path *p = rig_path(r);
    transfer(r, (path_group){p->mask & taken, taken_pc, p->depth}, (path_group){p->mask & ~taken, other_pc, p->depth},
             reconvergence_pc, likely_pc);
}

void rig_branch(rig *r, uint32_t taken_pc, uint64_t taken, uint32_t other_pc, uint32_t reconvergence_pc)
{
    rig_branch_likely(r, taken_pc, taken, other_pc, reconvergence_pc, 0);
}

void rig_jump(rig *r, uint32_t pc)
{
    rig_branch(r, pc, UINT64_MAX, 0, 0);
}

void rig_call(rig *r, uint32_t pc)
{
    const path *p = rig_path(r);
    transfer(r, (path_group){p->mask, pc, p->depth + 1}, (path_group){0}, 0, 0);
}

void rig_return(rig *r, uint32_t pc, uint64_t mask, uint32_t other_pc)
{
    const path *p = rig_path(r);
    transfer(r, (path_group){p->mask & mask, pc, p->depth - 1}, (path_group){p->mask & ~mask, other_pc, p->depth - 1},
             AT_RETURN, 0);
}

void rig_exit(rig *r, uint64_t mask)
{
    tell_exit(r->unit, r->state, 0, mask);
}

void rig_expect(const rig *r, int line, const row *rows, uint32_t count)
{
    cr_assert_eq(stack_size(r->state, 0), count, "line %d: %u entries, expected %u", line, stack_size(r->state, 0),
                 count);
    for (uint32_t i = 0; i < count; i++) {
        const stack_entry e = stack_entry_at(r->state, 0, i);
        cr_assert(e.pc == rows[i].pc && e.depth == rows[i].depth && e.stop_pc == rows[i].stop_pc &&
                      e.stop_depth == rows[i].stop_depth && e.mask == rows[i].mask,
                  "line %d, entry %u: pc %x/%u stop %x/%u mask %llx", line, i, e.pc, e.depth, e.stop_pc, e.stop_depth,
                  (unsigned long long)e.mask);
    }
    const path *p = rig_path(r);
    const row top = rows[count - 1];
    const uint32_t likely_pc = stack_entry_at(r->state, 0, count - 1).likely_pc;
    cr_assert(p->pc == top.pc && p->depth == top.depth && p->mask == top.mask &&
                  (p->stop_pc == top.stop_pc || (likely_pc && p->stop_pc == likely_pc)) &&
                  p->stop_depth == top.stop_depth,
              "line %d: the path is not the top of the stack", line);
}
