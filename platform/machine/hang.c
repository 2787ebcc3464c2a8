/* SPDX-License-Identifier: MIT */
/* What is said of a run that does not go on, or was not to. First come lanes that spin in a SIMT deadlock, or else a block that says so of
 * itself: they are the cause. */
#include "machine_internal.h"

#include <stdlib.h>
#include <string.h>

#include "simulation.h"
#include "text_value.h"

#define LINES_MAX 24u
#define SIMT_DEADLOCK "SIMT deadlock"

/* What is looked for in the lines of blocks, in this order. */
static const char *const causes[] = {SIMT_DEADLOCK, HD_PENDING_CAUSE};

static const char *find_cause(const char *pending)
{
    const char *cause = NULL;
    for (size_t i = 0; !cause && i < sizeof causes / sizeof *causes; i++)
        cause = strstr(pending, causes[i]);
    return cause;
}

/* Lines of one block's text that follow a line of a warp belong to it; they are indented. */
static const char *end_of_warp(const char *line)
{
    const char *end = strchr(line, '\n') + 1;
    size_t name = strcspn(line, ":");
    while (!strncmp(end, line, name) && !strncmp(end + name, ":  ", 3))
        end = strchr(end, '\n') + 1;
    return end;
}

static const char *start_of_line(const char *text, const char *within)
{
    while (within > text && within[-1] != '\n')
        within--;
    return within;
}

static void add_lines(hd_text *text, const char *from, const char *to, uint32_t *room, uint32_t *left)
{
    while (from < to) {
        const char *end = strchr(from, '\n') + 1;
        if (*room) {
            hd_text_add(text, "\n  %.*s", (int)(end - from - 1), from);
            --*room;
        } else {
            ++*left;
        }
        from = end;
    }
}

/* What to change if it ends too early. */
static void add_setting(hd_text *text, const char *name, hd_time value)
{
    char time[48];
    unsigned_to_short_text(value, HD_UNIT_SECONDS, time, sizeof time);
    hd_text_add(text, " (%s: %s)", name, time);
}

static void add_livelock(hd_text *text, const hd_machine *machine, int is_simt)
{
    hd_text_add(text, "%s: no progress since %llu ns", is_simt ? SIMT_DEADLOCK : "livelock",
                (unsigned long long)(hd_engine_patient_since(machine->engine) / 1000));
    add_setting(text, "watchdog", machine->netlist->watchdog);
    if (hd_engine_next(machine->engine) == HD_NEVER)
        hd_text_add(text, "\n  nothing moves any more but models from elsewhere");
}

static void add_head(hd_text *text, const hd_machine *machine, int is_simt)
{
    const unsigned long long at = machine->time / 1000;
    switch (machine->outcome) {
    case HD_OUTCOME_DEADLOCK: hd_text_add(text, "deadlock: nothing moves any more"); return;
    case HD_OUTCOME_LIMIT:
        hd_text_add(text, "the limit of simulated time, %llu ns, is reached", at);
        add_setting(text, "limit", machine->netlist->limit);
        break;
    case HD_OUTCOME_STOPPED:
        hd_text_add(text, "a model from elsewhere has called sc_stop at %llu ns, before the host program was over",
                    (unsigned long long)(simulation_stopped_at(machine) / 1000));
        return;
    case HD_OUTCOME_INTERRUPTED: hd_text_add(text, "interrupted at %llu ns", at); break;
    default: add_livelock(text, machine, is_simt); return;
    }
    hot_places_describe(machine, text);
}

/* The cause of a hang first, then what models from elsewhere owe, then what the blocks say. */
static void add_pending(hd_text *text, const char *pending, const char *owed, const char *cause)
{
    const char *end = pending + strlen(pending), *rest = end;
    uint32_t room = LINES_MAX, left = 0;
    cause = cause ? start_of_line(pending, cause) : end;
    if (cause < end) {
        rest = end_of_warp(cause);
        add_lines(text, cause, rest, &room, &left);
    }
    add_lines(text, owed, owed + strlen(owed), &room, &left);
    add_lines(text, pending, cause, &room, &left);
    add_lines(text, rest, end, &room, &left);
    if (left)
        hd_text_add(text, "\n  and %u more lines", left);
}

char *hang_describe(hd_machine *machine)
{
    hd_text collected = {0}, debts = {0}, text = {0};
    hd_text_sink sink = hd_text_lines(&collected), debt_sink = hd_text_lines(&debts);
    hd_engine_describe_pending(machine->engine, &sink);
    simulation_describe_owed(machine, &debt_sink);
    char *pending = hd_text_take(&collected), *owed = hd_text_take(&debts);
    const int is_simt = strstr(pending, SIMT_DEADLOCK) && !strstr(pending, HD_PENDING_GOES_ON);
    const uint32_t is_hang = machine->outcome == HD_OUTCOME_LIVELOCK || machine->outcome == HD_OUTCOME_DEADLOCK;
    if (machine->outcome == HD_OUTCOME_LIVELOCK && is_simt)
        machine->outcome = HD_OUTCOME_SIMT_DEADLOCK;
    add_head(&text, machine, is_simt);
    add_pending(&text, pending, owed, is_hang ? find_cause(pending) : NULL);
    free(owed);
    free(pending);
    return hd_text_take(&text);
}
