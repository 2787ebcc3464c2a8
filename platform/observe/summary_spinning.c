/* SPDX-License-Identifier: MIT */
/* Lines about spinning, of machines whose cores look for it. */
#include <string.h>

#include "results.h"

static uint64_t total(const hd_results *results, const char *name)
{
    return hd_statistics_sum(results->statistics, hd_statistics_run(results->statistics), "simt_core", name);
}

/* Issue slots of all cores: each is of one class. */
static uint64_t slots(const hd_results *results)
{
    return total(results, "execute_slots") + total(results, "stall_slots") + total(results, "scoreboard_slots") +
           total(results, "idle_slots");
}

static double percent(uint64_t part, uint64_t of)
{
    return of ? 100 * (double)part / (double)of : 0;
}

static void print_locks(const hd_results *results, FILE *out)
{
    const uint64_t taken = total(results, "locks_taken"), inter = total(results, "lock_failures_inter_warp"),
                   intra = total(results, "lock_failures_intra_warp"), tries = taken + inter + intra;
    char count[HD_QUANTITY_BYTES];
    if (tries)
        fprintf(out, "%-12s%s tries: %.1f%% taken, %.1f%% held by other warps, %.1f%% by the own\n", "locks",
                hd_print_count(count, tries), percent(taken, tries), percent(inter, tries), percent(intra, tries));
}

void hd_results_spinning(const hd_results *results, FILE *out)
{
    const uint64_t reached = total(results, "spin_marked") + total(results, "spin_unmarked");
    const uint64_t instructions = total(results, "spin_instructions");
    char marked[HD_QUANTITY_BYTES], unmarked[HD_QUANTITY_BYTES], marked_found[HD_QUANTITY_BYTES],
        unmarked_found[HD_QUANTITY_BYTES];
    if (!reached)
        return;
    fprintf(out,
            "%-12s%.1f%% of instructions, %.1f%% of slots; found: %s of %s branches marked as spinning, %s of %s "
            "others\n",
            "spinning", percent(instructions, total(results, "warp_instructions")),
            percent(instructions, slots(results)), hd_print_count(marked_found, total(results, "spin_marked_found")),
            hd_print_count(marked, total(results, "spin_marked")),
            hd_print_count(unmarked_found, total(results, "spin_unmarked_found")),
            hd_print_count(unmarked, total(results, "spin_unmarked")));
    print_locks(results, out);
}
