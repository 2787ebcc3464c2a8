/* SPDX-License-Identifier: MIT */
/* Two lines about transactions: what became of them, and what they were like. */
#include <string.h>

#include "results.h"

#define LABEL "%-12s"
#define REASONS "tx_aborts_"
#define REASONS_SHOWN 3u

static const hd_block_class *core_of(const hd_results *results)
{
    const netlist *machine = hd_statistics_netlist(results->statistics);
    for (uint32_t b = 0; b < machine->block_count; b++) {
        const hd_block_class *type = machine->blocks[b].block_class;
        for (uint32_t i = 0; i < type->statistic_count && !strcmp(type->kind, "simt_core"); i++)
            if (!strcmp(type->statistics[i].name, "tx_attempts"))
                return type;
    }
    return NULL;
}

static uint64_t total(const hd_results *results, const char *name)
{
    return hd_statistics_sum(results->statistics, hd_statistics_run(results->statistics), "simt_core", name);
}

static double per(uint64_t amount, uint64_t of)
{
    return of ? (double)amount / (double)of : 0;
}

/* The reason with the most aborts of those below `than`, equal ones in the order of declaration; UINT32_MAX: none. */
static uint32_t next_reason(const hd_results *results, const hd_block_class *core, uint32_t than)
{
    uint32_t best = UINT32_MAX;
    uint64_t most = 0;
    const uint64_t limit = than == UINT32_MAX ? UINT64_MAX : total(results, core->statistics[than].name);
    for (uint32_t i = 0; i < core->statistic_count; i++) {
        const char *name = core->statistics[i].name;
        const uint64_t count = strncmp(name, REASONS, strlen(REASONS)) ? 0 : total(results, name);
        if (count > most && (count < limit || (count == limit && i > than && than != UINT32_MAX))) {
            best = i;
            most = count;
        }
    }
    return best;
}

static void print_reasons(const hd_results *results, const hd_block_class *core, uint64_t aborts, FILE *out)
{
    uint32_t reason = UINT32_MAX;
    for (uint32_t shown = 0; shown < REASONS_SHOWN; shown++) {
        reason = next_reason(results, core, reason);
        if (reason == UINT32_MAX)
            break;
        fputs(shown ? ", " : " (", out);
        for (const char *name = core->statistics[reason].name + strlen(REASONS); *name; name++)
            fputc(*name == '_' ? ' ' : *name, out);
        fprintf(out, " %.0f%%", 100 * per(total(results, core->statistics[reason].name), aborts));
    }
    fputs(aborts ? ")" : "", out);
}

void hd_results_transactions(const hd_results *results, FILE *out)
{
    const hd_block_class *core = core_of(results);
    const uint64_t commits = core ? total(results, "tx_commits") : 0, aborts = core ? total(results, "tx_aborts") : 0;
    char committed[HD_QUANTITY_BYTES], executed[HD_QUANTITY_BYTES], waited[HD_QUANTITY_BYTES];
    if (!core || !total(results, "tx_attempts"))
        return;
    fprintf(out, LABEL "%s transactions, %.0f aborts per 1000", "commits", hd_print_count(committed, commits),
            1000 * per(aborts, commits));
    print_reasons(results, core, aborts, out);
    fprintf(out, "\n" LABEL "%.1f words read and %.1f written by each; warps ran %s cycles in them, and waited %s\n",
            "", per(total(results, "tx_read_words"), commits), per(total(results, "tx_write_words"), commits),
            hd_print_count(executed, total(results, "tx_execute_cycles")),
            hd_print_count(waited, total(results, "tx_wait_cycles")));
}
