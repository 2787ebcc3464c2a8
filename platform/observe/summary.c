/* SPDX-License-Identifier: MIT */
/* Everything on one page: what a run was, how long it took, and where the time went. */
#include <stdlib.h>
#include <string.h>

#include "results.h"

#define LABEL "%-12s"
#define ROWS_MAX 6u

typedef struct row {
    const char *kernel;
    const hd_results_app *app; /* of several */
    uint32_t launches;
    uint64_t blocks;
    uint64_t threads;
    uint64_t cycles; /* as the command processor counts them */
    uint64_t warp_instructions;
    uint64_t thread_instructions;
} row;

static const netlist_block *first_of_kind(const netlist *machine, const char *kind)
{
    for (uint32_t b = 0; b < machine->block_count; b++)
        if (!strcmp(machine->blocks[b].block_class->kind, kind))
            return &machine->blocks[b];
    return NULL;
}

static uint64_t parameter(const netlist_block *block, const char *name)
{
    for (uint32_t i = 0; i < block->block_class->parameter_count; i++)
        if (!strcmp(block->block_class->parameters[i].name, name))
            return block->values[i].u;
    return 0;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* What is shown: the time in which a kernel runs; without an app, the whole run. */
static const hd_interval *shown(const hd_results *results)
{
    return results->app ? hd_statistics_busy(results->statistics) : hd_statistics_run(results->statistics);
}

static uint64_t busy(const hd_results *results, const char *kind, const char *name)
{
    return hd_statistics_sum(results->statistics, shown(results), kind, name);
}

/* ---- Head --------------------------------------------------------------------------------------------------------- */

static void print_app(const hd_results *results, FILE *out)
{
    fprintf(out, LABEL "%s", "app", results->app);
    for (uint32_t i = 0; i < results->option_count; i++)
        fprintf(out, " %s=%s", results->options[i].name, results->options[i].value);
    for (uint32_t i = 0; i < results->report_count; i++)
        fprintf(out, "%s%s %llu", i ? ", " : "  -> ", results->reports[i].name,
                (unsigned long long)results->reports[i].value);
    fputc('\n', out);
}

/* Where the machine has become another one. */
static void print_checkpoint(const hd_results *results, FILE *out)
{
    char time[HD_QUANTITY_BYTES];
    if (!results->changed_count)
        return;
    fprintf(out, LABEL "at %s, and from there on with", "checkpoint", hd_print_time(time, results->changed_at));
    for (uint32_t i = 0; i < results->changed_count; i++)
        fprintf(out, "%s %s", i ? "," : "", results->changed[i]);
    fputc('\n', out);
}

static void print_head(const hd_results *results, FILE *out)
{
    const netlist *machine = hd_statistics_netlist(results->statistics);
    char simulated[HD_QUANTITY_BYTES], kernels[HD_QUANTITY_BYTES], limit[HD_QUANTITY_BYTES] = "";
    const char *the_limit = machine->limit == HD_NEVER ? "" : "; the limit is ";
    if (*the_limit)
        hd_print_time(limit, machine->limit);
    fprintf(out, LABEL "%s: %s\n", "machine", machine->name, machine->description);
    print_checkpoint(results, out);
    if (!results->app) {
        fprintf(out, LABEL "%s%s%s%s\n", "simulated", hd_print_time(simulated, results->simulated),
                results->partial ? " (partial)" : "", the_limit, limit);
        return;
    }
    if (results->app_count)
        hd_results_apps(results, out);
    else
        print_app(results, out);
    fprintf(out, LABEL "%s, of which kernels %s%s%s%s\n", "simulated", hd_print_time(simulated, results->simulated),
            hd_print_time(kernels, hd_statistics_busy(results->statistics)->end), results->partial ? " (partial)" : "",
            the_limit, limit);
    hd_results_print_time(results, out);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------------ */

static uint64_t product(const uint32_t *size)
{
    return (uint64_t)size[0] * size[1] * size[2];
}

static void add_kernel(const hd_results *results, const hd_interval *interval, row *to)
{
    const netlist *machine = hd_statistics_netlist(results->statistics);
    const netlist_block *counter = first_of_kind(machine, "command_processor");
    hd_clock clock = {counter ? machine->clocks[counter->clock].hz : HD_PS_PER_SECOND};
    const hd_host_launch *launch = &results->launches[interval->launch];
    to->launches++;
    to->blocks += product(launch->grid_size);
    to->threads += product(launch->grid_size) * product(launch->block_size);
    if (launch->complete)
        to->cycles += launch->end_cycle - launch->start_cycle;
    else
        to->cycles += hd_clock_index_at_or_after(clock, interval->end - interval->begin);
    to->warp_instructions += hd_statistics_sum(results->statistics, interval, "simt_core", "warp_instructions");
    to->thread_instructions += hd_statistics_sum(results->statistics, interval, "simt_core", "thread_instructions");
}

/* A row per kernel function, in the order of their first launch; the last takes what does not fit. */
static row *row_of(row *rows, uint32_t *count, const char *kernel, const hd_results_app *app)
{
    for (uint32_t i = 0; i < *count; i++)
        if (!strcmp(rows[i].kernel, kernel) && rows[i].app == app)
            return &rows[i];
    uint32_t at = *count < ROWS_MAX ? (*count)++ : ROWS_MAX - 1;
    rows[at].app = rows[at].kernel ? NULL : app;
    rows[at].kernel = rows[at].kernel ? "others" : kernel;
    return &rows[at];
}

static uint32_t make_rows(const hd_results *results, row *rows)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < hd_statistics_kernel_count(results->statistics); k++) {
        const hd_interval *interval = hd_statistics_kernel(results->statistics, k);
        if (interval->launch >= results->launch_count)
            continue;
        const hd_host_launch *launch = &results->launches[interval->launch];
        add_kernel(results, interval, row_of(rows, &count, launch->kernel, hd_results_app_of(results, launch)));
    }
    return count;
}

static void print_kernels(const hd_results *results, FILE *out)
{
    const netlist_block *core = first_of_kind(hd_statistics_netlist(results->statistics), "simt_core");
    uint64_t lanes = core ? parameter(core, "lanes") : 0;
    const int width = results->app_count ? 32 : 20;
    row rows[ROWS_MAX] = {0};
    uint32_t count = make_rows(results, rows);
    if (!count)
        return;
    fprintf(out, "\n%-*s %8s %9s %11s %13s %15s %7s %6s\n", width, "kernel", "launches", "blocks", "threads", "cycles",
            "warp instr.", "IPC", "SIMD");
    for (uint32_t i = 0; i < count; i++) {
        const row *r = &rows[i];
        char blocks[HD_QUANTITY_BYTES], threads[HD_QUANTITY_BYTES], cycles[HD_QUANTITY_BYTES];
        char instructions[HD_QUANTITY_BYTES], name[64];
        snprintf(name, sizeof name, "%s%s%s", r->app ? r->app->name : "", r->app ? "/" : "", r->kernel);
        fprintf(out, "%-*s %8u %9s %11s %13s %15s %7.3f %5.1f%%\n", width, name, r->launches,
                hd_print_count(blocks, r->blocks), hd_print_count(threads, r->threads),
                hd_print_count(cycles, r->cycles), hd_print_count(instructions, r->warp_instructions),
                r->cycles ? (double)r->warp_instructions / (double)r->cycles : 0,
                percent(r->thread_instructions, r->warp_instructions * lanes));
    }
    fputc('\n', out);
}

/* ---- Where the time went ------------------------------------------------------------------------------------------ */

static int can_have(const netlist_block *block, const char *name)
{
    for (uint32_t i = 0; i < block->block_class->statistic_count; i++)
        if (!strcmp(block->block_class->statistics[i].name, name))
            return hd_statistic_applies(&block->block_class->statistics[i], block->values);
    return 0;
}

static int is_slot(const hd_statistic *statistic)
{
    return !strncmp(statistic->name, "slots_", 6);
}

/* Is it of issue slots, and has some core of the machine some, or could have? */
static int is_listed_slot(const hd_results *results, const hd_statistic *statistic)
{
    const netlist *machine = hd_statistics_netlist(results->statistics);
    if (!is_slot(statistic) || busy(results, "simt_core", statistic->name))
        return is_slot(statistic);
    for (uint32_t b = 0; b < machine->block_count; b++)
        if (!strcmp(machine->blocks[b].block_class->kind, "simt_core") &&
            can_have(&machine->blocks[b], statistic->name))
            return 1;
    return 0;
}

static void print_slots(const hd_results *results, FILE *out)
{
    const netlist_block *core = first_of_kind(hd_statistics_netlist(results->statistics), "simt_core");
    const hd_statistic *statistics = core ? core->block_class->statistics : NULL;
    uint64_t all = 0;
    uint32_t shown = 0;
    for (uint32_t i = 0; core && i < core->block_class->statistic_count; i++)
        if (is_slot(&statistics[i]))
            all += busy(results, "simt_core", statistics[i].name);
    for (uint32_t i = 0; all && i < core->block_class->statistic_count; i++) {
        if (!is_listed_slot(results, &statistics[i]))
            continue;
        fprintf(out, shown % 5 ? "  " : LABEL, shown ? "" : "issue slots");
        for (const char *name = statistics[i].name + 6; *name; name++)
            fputc(*name == '_' ? ' ' : *name, out);
        fprintf(out, " %.1f%%%s", percent(busy(results, "simt_core", statistics[i].name), all),
                shown % 5 == 4 ? "\n" : "");
        shown++;
    }
    if (shown % 5)
        fputc('\n', out);
}

static void print_cache(const char *label, uint64_t hits, uint64_t others, FILE *out)
{
    char accesses[HD_QUANTITY_BYTES];
    if (hits + others)
        fprintf(out, LABEL "%.1f%% of %s accesses hit\n", label, percent(hits, hits + others),
                hd_print_count(accesses, hits + others));
}

/* Of one block; 0 if it does not count that. */
static uint64_t statistic(const hd_results *results, uint32_t block, const char *name)
{
    const hd_block_class *type = hd_statistics_netlist(results->statistics)->blocks[block].block_class;
    for (uint32_t i = 0; i < type->statistic_count; i++)
        if (!strcmp(type->statistics[i].name, name))
            return hd_statistics_block(results->statistics, shown(results), block)[i];
    return 0;
}

/* All memories of the machine. */
typedef struct memory_use {
    const char *label; /* NULL: there is none */
    uint64_t read, written;
    uint64_t activates, by_activates; /* of those that count them; the bytes of these */
    double peak;                      /* bytes per second; 0: not all of them have one */
    uint32_t has_no_peak;             /* one of them says nothing of it */
    uint32_t by_links;                /* one of them does not count */
} memory_use;

static void add_memory(const hd_results *results, uint32_t block, memory_use *use)
{
    const netlist *machine = hd_statistics_netlist(results->statistics);
    const netlist_block *memory = &machine->blocks[block];
    const hd_memory_bytes bytes = hd_statistics_memory(results->statistics, shown(results), block);
    if (!bytes.is_memory)
        return;
    use->label = strcmp(memory->block_class->kind, "dram") ? "memory" : "DRAM";
    use->read += bytes.read;
    use->written += bytes.written;
    const uint64_t activates = statistic(results, block, "activates");
    use->activates += activates;
    use->by_activates += activates ? bytes.read + bytes.written : 0;
    use->by_links |= bytes.by_links;
    use->has_no_peak |= !parameter(memory, "bus_bytes");
    use->peak +=
        (double)memory->count * (double)parameter(memory, "bus_bytes") * (double)machine->clocks[memory->clock].hz;
}

static void print_memory(const hd_results *results, FILE *out)
{
    const hd_time length = shown(results)->end - shown(results)->begin;
    const uint64_t hits = busy(results, "dram", "row_hits");
    const uint64_t rows = hits + busy(results, "dram", "row_misses") + busy(results, "dram", "row_conflicts");
    memory_use use = {0};
    char texts[4][HD_QUANTITY_BYTES];
    for (uint32_t b = 0; b < hd_statistics_netlist(results->statistics)->block_count; b++)
        add_memory(results, b, &use);
    if (!use.label || !length)
        return;
    const double used = (double)(use.read + use.written) * (double)HD_PS_PER_SECOND / (double)length;
    fprintf(out, LABEL "%s/s", use.label, hd_print_bytes(texts[0], used));
    if (!use.has_no_peak)
        fprintf(out, " of %s/s used (%.1f%%)", hd_print_bytes(texts[1], use.peak), 100 * used / use.peak);
    fprintf(out, "%s; %s read, %s written", use.by_links ? " over its links" : "",
            hd_print_bytes(texts[2], (double)use.read), hd_print_bytes(texts[3], (double)use.written));
    if (rows)
        fprintf(out, "; %.1f%% row hits", percent(hits, rows));
    if (use.activates)
        fprintf(out, ", %s an activate", hd_print_bytes(texts[0], (double)use.by_activates / (double)use.activates));
    fputc('\n', out);
}

static void print_network(const hd_results *results, FILE *out)
{
    const netlist *machine = hd_statistics_netlist(results->statistics);
    const hd_interval *interval = shown(results);
    uint32_t networks = 0;
    for (uint32_t b = 0; b < machine->block_count; b++) {
        const hd_block_class *type = machine->blocks[b].block_class;
        const uint64_t *values = hd_statistics_block(results->statistics, interval, b);
        uint64_t bytes = 0;
        char text[HD_QUANTITY_BYTES];
        if (strcmp(type->kind, "crossbar"))
            continue;
        for (uint32_t i = 0; i < type->statistic_count; i++)
            bytes += strncmp(type->statistics[i].name, "bytes.", 6) ? 0 : values[i];
        if (!networks)
            fprintf(out, LABEL, "network");
        fprintf(out, "%s%s %s", networks++ ? ", " : "", machine->blocks[b].name, hd_print_bytes(text, (double)bytes));
    }
    if (networks)
        fputc('\n', out);
}

static void print_host(const hd_results *results, FILE *out)
{
    const hd_statistics *s = results->statistics;
    double instructions = (double)hd_statistics_sum(s, hd_statistics_run(s), "simt_core", "warp_instructions");
    char rate[HD_QUANTITY_BYTES];
    if (!results->app)
        fprintf(out, LABEL "%.2f s\n", "host", results->host.seconds);
    else
        fprintf(out, LABEL "%.2f s, %s warp instructions/s\n", "host", results->host.seconds,
                hd_print_rate(rate, results->host.seconds > 0 ? instructions / results->host.seconds : 0));
}

static const char *verdict(const char *status)
{
    if (!strcmp(status, "pass"))
        return "PASS";
    return strcmp(status, "interrupted") && strcmp(status, "stopped") ? "FAIL" : "STOPPED";
}

void hd_results_headline(const hd_results *results, FILE *out)
{
    const char *machine = hd_statistics_netlist(results->statistics)->name;
    if (results->app_count)
        fprintf(out, "%s  ", verdict(results->status));
    for (uint32_t i = 0; i < results->app_count; i++)
        fprintf(out, "%s%s", i ? ", " : "", results->apps[i].name);
    if (results->app_count)
        fprintf(out, " on %s\n\n", machine);
    else if (results->app)
        fprintf(out, "%s  %s on %s\n\n", verdict(results->status), results->app, machine);
    else
        fprintf(out, "%s  %s\n\n", verdict(results->status), machine);
}

void hd_results_summary(const hd_results *results, FILE *out)
{
    if (results->sampling) {
        hd_sampling_summary(results, out);
        print_host(results, out);
        return;
    }
    print_head(results, out);
    print_kernels(results, out);
    hd_results_traffic(results, out);
    print_slots(results, out);
    hd_results_transactions(results, out);
    hd_results_spinning(results, out);
    print_cache("code", busy(results, "simt_core", "fetch_hits"), busy(results, "simt_core", "fetch_misses"), out);
    print_cache("constants", busy(results, "simt_core", "constant_hits"), busy(results, "simt_core", "constant_misses"),
                out);
    print_cache("textures", busy(results, "simt_core", "texture_hits"), busy(results, "simt_core", "texture_misses"),
                out);
    print_cache("L1", busy(results, "simt_core", "l1_hits"), busy(results, "simt_core", "l1_misses"), out);
    print_cache("L2", busy(results, "l2_slice", "hits"),
                busy(results, "l2_slice", "misses") + busy(results, "l2_slice", "mshr_merges"), out);
    print_memory(results, out);
    print_network(results, out);
    hd_results_checks(results, out);
    hd_results_estimate(results, out);
    hd_results_energy(results, out);
    print_host(results, out);
}
