/* SPDX-License-Identifier: MIT */
#include "results.h"

static void print_memory(const hd_memory_checks *checks, FILE *out)
{
    char accesses[HD_QUANTITY_BYTES], errors[HD_QUANTITY_BYTES];
    if (checks)
        fprintf(out, "%-12s%s accesses to memory: %s of them are errors\n", "check",
                hd_print_count(accesses, checks->accesses), hd_print_count(errors, checks->errors));
}

static void print_races(const hd_race_checks *checks, FILE *out)
{
    char accesses[HD_QUANTITY_BYTES], orders[HD_QUANTITY_BYTES], races[HD_QUANTITY_BYTES];
    if (checks)
        fprintf(out, "%-12s%s accesses to shared memory, ordered by %s events: %s races\n", "check",
                hd_print_count(accesses, checks->accesses), hd_print_count(orders, checks->orders),
                hd_print_count(races, checks->races));
}

void hd_results_checks(const hd_results *results, FILE *out)
{
    const hd_transaction_checks *checks = results->checks;
    char transactions[HD_QUANTITY_BYTES], replayed[HD_QUANTITY_BYTES], edges[HD_QUANTITY_BYTES],
        mixed[HD_QUANTITY_BYTES], placed[HD_QUANTITY_BYTES], on_scratchpad[HD_QUANTITY_BYTES];
    print_memory(results->memory_checks, out);
    print_races(results->race_checks, out);
    if (!checks)
        return;
    fprintf(out, "%-12s%s transactions %s: %s replayed", "check", hd_print_count(transactions, checks->transactions),
            checks->violations ? "are not serialisable" : "are serialisable",
            hd_print_count(replayed, checks->replayed));
    if (checks->placed)
        fprintf(out, ", %s without an order", hd_print_count(placed, checks->placed));
    fprintf(out, ", %s edges", hd_print_count(edges, checks->edges));
    if (checks->on_scratchpad && checks->on_scratchpad < checks->transactions)
        fprintf(out, "; %s of them on the scratchpad", hd_print_count(on_scratchpad, checks->on_scratchpad));
    if (checks->mixed)
        fprintf(out, "; %s words also written plainly, not compared", hd_print_count(mixed, checks->mixed));
    fputc('\n', out);
}
