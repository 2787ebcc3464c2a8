/* SPDX-License-Identifier: MIT */
/* What is said of a run that does not go on. First come lanes that spin in a SIMT deadlock, or else a block that says so of
 * itself: they are the cause. */
#include "machine_internal.h"

#include <stdlib.h>
#include <string.h>

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

static void add_livelock(hd_text *text, const hd_machine *machine, int is_simt)
{
    char watchdog[48];
    netlist_unsigned_to_short_text(machine->netlist->watchdog, HD_UNIT_SECONDS, watchdog, sizeof watchdog);
    hd_text_add(text, "%s: no progress since %llu ns (watchdog: %s)", is_simt ? SIMT_DEADLOCK : "livelock",
                (unsigned long long)(hd_engine_patient_since(hd_tlm_engine(machine->tlm)) / 1000), watchdog);
}

char *hang_describe(hd_machine *machine)
{
    hd_engine *engine = hd_tlm_engine(machine->tlm);
    hd_text collected = {0}, text = {0};
    hd_text_sink sink = hd_text_lines(&collected);
    hd_engine_describe_pending(engine, &sink);
    char *pending = hd_text_take(&collected);
    const char *end = pending + strlen(pending), *cause = find_cause(pending), *rest = end;
    const int is_simt = strstr(pending, SIMT_DEADLOCK) != NULL;
    uint32_t room = LINES_MAX, left = 0;

    if (machine->outcome == HD_OUTCOME_LIVELOCK && is_simt)
        machine->outcome = HD_OUTCOME_SIMT_DEADLOCK;
    if (machine->outcome == HD_OUTCOME_DEADLOCK)
        hd_text_add(&text, "deadlock: nothing moves any more");
    else
        add_livelock(&text, machine, is_simt);
    if (machine->outcome != HD_OUTCOME_DEADLOCK && hd_engine_next(engine) == HD_NEVER)
        hd_text_add(&text, "\n  nothing moves any more but models from elsewhere");
    cause = cause ? start_of_line(pending, cause) : end;
    if (cause < end) {
        rest = end_of_warp(cause);
        add_lines(&text, cause, rest, &room, &left);
    }
    add_lines(&text, pending, cause, &room, &left);
    add_lines(&text, rest, end, &room, &left);
    if (left)
        hd_text_add(&text, "\n  and %u more lines", left);
    free(pending);
    return hd_text_take(&text);
}
