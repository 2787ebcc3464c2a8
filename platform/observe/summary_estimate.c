/* SPDX-License-Identifier: MIT */
#include "estimate.h"
#include "results.h"

void hd_results_estimate(const hd_results *results, FILE *out)
{
    const hd_estimate estimate = hd_estimate_of(hd_statistics_netlist(results->statistics));
    if (estimate.source && !estimate.process)
        fprintf(out, "%-12s%.0f B of storage, after %s\n", "estimate", estimate.bytes, estimate.source);
    else if (estimate.source)
        fprintf(out, "%-12s%.3f mm2, %.1f mW for transactions at %s, scaled from %s\n", "estimate",
                estimate.square_millimetres, estimate.milliwatts, estimate.process, estimate.source);
}
