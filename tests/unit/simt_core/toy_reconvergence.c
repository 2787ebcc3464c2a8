/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "likely.h"
#include "reconvergence_units.h"
#include "stack.h"
#include "toy_units.h"

/* ---- Told of everything ------------------------------------------------------------------------------------------------- */

static uint32_t wants_everything(const reconvergence *unit)
{
    (void)unit;
    return PATH_EVERY_KIND;
}

static void hear(reconvergence *unit, const path_event *event)
{
    (void)unit;
    if (toy_heard.count < TOY_EVENTS)
        toy_heard.events[toy_heard.count] = *event;
    toy_heard.count++;
}

static reconvergence_unit listening;

/* ---- Begins late -------------------------------------------------------------------------------------------------------- */

uint64_t toy_delay;

/* Of the one core that a test has. */
static struct launch {
    uint64_t cycle; /* UINT64_MAX: not known yet */
    uint32_t slots[MAX_WARPS], count, pc;
    uint64_t masks[MAX_WARPS];
} launches[8];
static uint32_t launch_count;

static void late_reset(reconvergence *unit)
{
    launch_count = 0;
    reconvergence_stack.reset(unit);
}

static void late_launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    struct launch *launch = &launches[launch_count++];
    (void)unit;
    cr_assert_leq(launch_count, sizeof launches / sizeof *launches);
    *launch = (struct launch){.cycle = UINT64_MAX, .count = warps->count, .pc = pc};
    memcpy(launch->slots, warps->slots, warps->count * sizeof *warps->slots);
    memcpy(launch->masks, masks, warps->count * sizeof *masks);
}

/* What has been launched since it was asked last has been launched at this edge. */
static uint64_t late_next(const reconvergence *unit, uint64_t cycle)
{
    uint64_t next = UINT64_MAX;
    (void)unit;
    for (uint32_t i = 0; i < launch_count; i++) {
        if (launches[i].cycle == UINT64_MAX)
            launches[i].cycle = cycle + toy_delay;
        next = launches[i].cycle < next ? launches[i].cycle : next;
    }
    return next;
}

static void late_due(reconvergence *unit, uint64_t cycle)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < launch_count; i++) {
        const struct launch *launch = &launches[i];
        if (launch->cycle > cycle) {
            launches[kept++] = *launch;
            continue;
        }
        cr_assert_eq(launch->cycle, cycle,
                     "not woken when it was due"); /* the functional core too, if nothing else runs */
        reconvergence_stack.launch(unit, &(block_warps){.slots = launch->slots, .count = launch->count}, launch->pc,
                                   launch->masks);
    }
    launch_count = kept;
}

static reconvergence_unit late;

/* ------------------------------------------------------------------------------------------------------------------------- */

__attribute__((constructor)) static void complete(void)
{
    listening = late = reconvergence_stack;
    listening.wants = wants_everything;
    listening.event = hear;
    late.reset = late_reset;
    late.launch = late_launch;
    late.next = late_next;
    late.due = late_due;
}

static const hd_parameter parameters_of_stack[STACK_PARAMETERS] = {
    [STACK_FIRST] = {.name = "first",
                     .type = HD_TYPE_CHOICE,
                     .standard = "taken",
                     .choices = "taken|not_taken|fewer",
                     .doc = "as of the stack that it is"},
    LIKELY_PARAMETERS(STACK_LIKELY_POINTS, STACK_BRANCH_PROFILE),
};

#define TOY(name_word, doc_text, functions_of)                                                                         \
    {                                                                                                                  \
        .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_unit), .kind = "reconvergence", .name = (name_word),  \
        .doc = (doc_text), .source = "a test", .interface = RECONVERGENCE_INTERFACE, .functions = (functions_of),      \
        .parameter_count = STACK_PARAMETERS, .parameters = parameters_of_stack                                         \
    }

const hd_unit toy_listening_stack = TOY("listening", "a stack that is told of everything", &listening);
const hd_unit toy_late_stack = TOY("late", "a stack that begins late", &late);
