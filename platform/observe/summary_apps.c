/* SPDX-License-Identifier: MIT */
/* Several apps that ran at a time, each for itself. */
#include <string.h>

#include "results.h"

const hd_results_app *hd_results_app_of(const hd_results *results, const hd_host_launch *launch)
{
    const uint32_t app = results->app_count && launch->queue < HD_QUEUES_MAX ? results->queue_apps[launch->queue] : 0;
    return app < results->app_count ? &results->apps[app] : NULL;
}

uint64_t hd_results_app_cycles(const hd_results *results, uint32_t app)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < results->launch_count; i++) {
        const hd_host_launch *launch = &results->launches[i];
        if (launch->complete && hd_results_app_of(results, launch) == &results->apps[app])
            sum += launch->end_cycle - launch->start_cycle;
    }
    return sum;
}

static void print_app(const hd_results *results, uint32_t index, FILE *out)
{
    const hd_results_app *app = &results->apps[index];
    char ended[HD_QUANTITY_BYTES], cycles[HD_QUANTITY_BYTES];
    fprintf(out, "%-12s%s", index ? "" : "apps", app->name);
    for (uint32_t i = 0; i < app->option_count; i++)
        fprintf(out, " %s=%s", app->options[i].name, app->options[i].value);
    fprintf(out, ": %s", app->status);
    if (app->ended != HD_NEVER)
        fprintf(out, " at %s", hd_print_time(ended, app->ended));
    fprintf(out, ", kernels %s cycles", hd_print_count(cycles, hd_results_app_cycles(results, index)));
    for (uint32_t i = 0; i < app->report_count; i++)
        fprintf(out, "%s%s %llu", i ? ", " : "  -> ", app->reports[i].name, (unsigned long long)app->reports[i].value);
    fputc('\n', out);
}

void hd_results_apps(const hd_results *results, FILE *out)
{
    for (uint32_t i = 0; i < results->app_count; i++)
        print_app(results, i, out);
}
