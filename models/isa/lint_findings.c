/* SPDX-License-Identifier: MIT */
/* Deadlocks are told by the read that waits: one branch too many is none the wiser. */
#include "lint_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[ISA_LINT_COUNT] = {
    [ISA_LINT_DEADLOCK] = "simt_deadlock",
    [ISA_LINT_POSSIBLE_DEADLOCK] = "possible_deadlock",
    [ISA_LINT_STALE_SPIN] = "stale_spin",
    [ISA_LINT_DIVERGENT_BARRIER] = "divergent_barrier",
};

const char *isa_lint_name(uint32_t kind)
{
    return kind < ISA_LINT_COUNT ? names[kind] : "?";
}

typedef struct merged {
    isa_finding *findings; /* room for all */
    uint32_t count;
} merged;

static int reads(const isa_deadlock *deadlock, uint32_t pc)
{
    for (uint32_t i = 0; i < deadlock->read_count; i++)
        if (deadlock->reads[i] == pc)
            return 1;
    return 0;
}

static isa_finding *finding_of(merged *m, const isa_deadlock *deadlock)
{
    for (uint32_t i = 0; i < m->count; i++) {
        isa_finding *at = &m->findings[i];
        if (at->kind == ISA_LINT_DEADLOCK && reads(deadlock, at->access_pc))
            return at;
    }
    for (uint32_t i = 0; i < m->count; i++)
        if (m->findings[i].kind == ISA_LINT_POSSIBLE_DEADLOCK && m->findings[i].access_pc == deadlock->read)
            return &m->findings[i];
    isa_finding *added = &m->findings[m->count++];
    *added = (isa_finding){.kind = ISA_LINT_POSSIBLE_DEADLOCK, .access_pc = deadlock->read};
    return added;
}

static int is_in_loop(uint32_t pc, const isa_deadlock *deadlock)
{
    return pc >= deadlock->loop && pc <= deadlock->loop_end;
}

/* The branch that is told is one of the loop, if there is one. */
static void add_deadlock(merged *m, const isa_deadlock *deadlock, uint32_t is_first_of_branch)
{
    isa_finding *to = finding_of(m, deadlock);
    const int is_new = !to->branches;
    to->branches += is_new || is_first_of_branch;
    const int was_in_loop = !is_new && to->branch_pc >= to->loop_pc && to->branch_pc <= to->loop_end_pc;
    if (!is_new && (was_in_loop || !is_in_loop(deadlock->branch, deadlock)))
        return;
    to->branch_pc = deadlock->branch;
    to->side_pc = deadlock->side;
    to->meeting_pc = deadlock->meeting;
    to->loop_pc = deadlock->loop;
    to->loop_end_pc = deadlock->loop_end;
    if (to->kind == ISA_LINT_POSSIBLE_DEADLOCK)
        to->other_pc = deadlock->write;
}

static int by_access(const void *a, const void *b)
{
    const isa_finding *x = a, *y = b;
    if (x->access_pc != y->access_pc)
        return x->access_pc > y->access_pc ? 1 : -1;
    return (int)x->kind - (int)y->kind;
}

/* Rules know neither the unit nor what the source says: what is no deadlock after all is dropped. */
static void merge(merged *m, const isa_deadlocks *deadlocks)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < deadlocks->count; i++) {
        const isa_deadlock *deadlock = &deadlocks->found[i];
        add_deadlock(m, deadlock, !i || deadlock[-1].branch != deadlock->branch || deadlock[-1].read != deadlock->read);
    }
    for (uint32_t i = 0; i < m->count; i++)
        if (m->findings[i].kind >= ISA_LINT_STALE_SPIN || m->findings[i].branches)
            m->findings[kept++] = m->findings[i];
    m->count = kept;
    if (kept)
        qsort(m->findings, kept, sizeof *m->findings, by_access);
}

/* Behind what there is, with room for as many deadlocks. 0 = done. */
static int append(merged *m, const isa_finding *more, uint32_t count, uint32_t deadlocks)
{
    isa_finding *room = realloc(m->findings, ((size_t)m->count + count + deadlocks + 1) * sizeof *room);
    if (!room)
        return -1;
    m->findings = room;
    if (count)
        memcpy(room + m->count, more, count * sizeof *room);
    m->count += count;
    return 0;
}

int isa_lint(const isa_program *program, const isa_deadlock_options *options, isa_finding **findings, uint32_t *count)
{
    isa_deadlocks deadlocks = {0};
    merged m = {0};
    isa_finding *barriers = NULL;
    uint32_t barrier_count = 0;
    const int failed =
        lint_find_by_rules(program, &m.findings, &m.count) || lint_find_barriers(program, &barriers, &barrier_count) ||
        isa_deadlocks_find(program, options, &deadlocks) || append(&m, barriers, barrier_count, deadlocks.count);
    if (failed)
        free(m.findings);
    else
        merge(&m, &deadlocks);
    *findings = failed ? NULL : m.findings;
    *count = failed ? 0 : m.count;
    free(barriers);
    isa_deadlocks_free(&deadlocks);
    return failed ? -1 : 0;
}

static void deadlock_text(const isa_program *program, const isa_finding *finding, char *text, size_t bytes)
{
    char branch[128], read[128], write[128], meeting[128] = "the return", side[128], loop[128];
    char more[32] = "";
    isa_program_place(program, finding->branch_pc, branch, sizeof branch);
    isa_program_place(program, finding->access_pc, read, sizeof read);
    isa_program_place(program, finding->other_pc, write, sizeof write);
    isa_program_place(program, finding->side_pc, side, sizeof side);
    isa_program_place(program, finding->loop_pc, loop, sizeof loop);
    if (finding->meeting_pc != ISA_RECONVERGE_AT_RETURN) {
        memcpy(meeting, "pc ", 3);
        isa_program_place(program, finding->meeting_pc, meeting + 3, sizeof meeting - 3);
    }
    if (finding->branches > 1)
        snprintf(more, sizeof more, " (so at %u branches)", finding->branches);
    const int is_sure = finding->kind == ISA_LINT_DEADLOCK;
    snprintf(text, bytes,
             "pc %s: lanes part here%s; those that go to pc %s %s in the loop at pc %s until what pc %s reads has "
             "changed, and those that %s it, at pc %s, are kept from doing so as they wait for them at %s: %s",
             branch, more, side, is_sure ? "stay" : "may stay", loop, read, is_sure ? "change" : "may change", write,
             meeting,
             is_sure ? "give the lock back inside the loop, and test the loop's flag by simt_opaque"
                     : "write it inside the loop, or say what cannot be (simt_synchronization.h)");
}

static void barrier_text(const isa_program *program, const isa_finding *finding, char *text, size_t bytes)
{
    char branch[128], barrier[128], meeting[128];
    isa_program_place(program, finding->branch_pc, branch, sizeof branch);
    isa_program_place(program, finding->access_pc, barrier, sizeof barrier);
    isa_program_place(program, finding->meeting_pc, meeting, sizeof meeting);
    snprintf(text, bytes,
             "pc %s: threads of a block part here by their index, and only those of one side come to the barrier at pc "
             "%s; the others "
             "wait for them at pc %s: put the barrier outside of the branch",
             branch, barrier, meeting);
}

static void spin_text(const isa_program *program, const isa_finding *finding, char *text, size_t bytes)
{
    char branch[128], access[128];
    isa_program_place(program, finding->branch_pc, branch, sizeof branch);
    isa_program_place(program, finding->access_pc, access, sizeof access);
    snprintf(text, bytes,
             "pc %s: the loop waits for a change of what the plain load at pc %s reads; with l1.global: cache the "
             "core may read its old L1 line for ever: use simt_load_cg, or simt_fence inside the loop",
             branch, access);
}

void isa_finding_text(const isa_program *program, const isa_finding *finding, char *text, size_t bytes)
{
    switch (finding->kind) {
    case ISA_LINT_STALE_SPIN: spin_text(program, finding, text, bytes); break;
    case ISA_LINT_DIVERGENT_BARRIER: barrier_text(program, finding, text, bytes); break;
    default: deadlock_text(program, finding, text, bytes); break;
    }
}
