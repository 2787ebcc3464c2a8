/* SPDX-License-Identifier: MIT */
/* The branch profile of a run, as stacks read it (likely_points.h). */
#include "likely_points.h"
#include "profile_view.h"

#include <inttypes.h>
#include <string.h>

static int is_branch(const profile_row *row)
{
    static const char *const names[] = {"beq ", "bne ", "blt ", "bge ", "bltu ", "bgeu "};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(row->text, names[i], strlen(names[i])))
            return 1;
    return 0;
}

uint32_t profile_branches_print(const profile_view *view, FILE *out)
{
    if (profile_view_column(view, "taken_lanes") == UINT32_MAX)
        return 0;
    fprintf(out, "%s\n", ISA_BRANCH_PROFILE_HEAD);
    for (uint32_t i = 0; i < view->row_count; i++) {
        const profile_row *row = &view->rows[i];
        if (is_branch(row))
            fprintf(out, "0x%08" PRIx32 " %" PRIu64 " %" PRIu64 " %s\n", row->pc,
                    profile_view_count(view, row->counts, "thread_instructions"),
                    profile_view_count(view, row->counts, "taken_lanes"), row->text);
    }
    fprintf(out, "%s\n", ISA_BRANCH_PROFILE_END);
    return 1;
}
