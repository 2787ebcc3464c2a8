/* SPDX-License-Identifier: MIT */
#include "results.h"

void hd_results_checks(const hd_results *results, FILE *out)
{
    const hd_transaction_checks *checks = results->checks;
    char transactions[HD_QUANTITY_BYTES], replayed[HD_QUANTITY_BYTES], edges[HD_QUANTITY_BYTES],
        mixed[HD_QUANTITY_BYTES];
    if (!checks)
        return;
    fprintf(out, "%-12s%s transactions %s: %s replayed, %s edges", "check",
            hd_show_count(transactions, checks->transactions),
            checks->violations ? "are not serialisable" : "are serialisable", hd_show_count(replayed, checks->replayed),
            hd_show_count(edges, checks->edges));
    if (checks->mixed)
        fprintf(out, "; %s words also written plainly, not compared", hd_show_count(mixed, checks->mixed));
    fputc('\n', out);
}
