/* SPDX-License-Identifier: MIT */
#include "timing_sets.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dram.h"

static const struct {
    const char *file;
    uint64_t hz;
} clocks[] = {
    {"c2050.yaml", 750000000},         {"ddr4_2400.yaml", 1200000000},    {"gddr3.yaml", 800000000},
    {"gddr5.yaml", 924000000},         {"gddr5x.yaml", 2750000000},       {"hbm2.yaml", 1000000000},
    {"hbm2.yaml", 880000000},          {"hbm2.yaml", 704000000},          {"gddr3_16_bytes.yaml", 800000000},
    {"gddr5x_13_ns.yaml", 2750000000}, {"hbm2_32_bytes.yaml", 877000000}, {"hbm2_32_bytes.yaml", 1215000000},
    {"gddr5.yaml", 750000000},         {"gddr5.yaml", 1375000000},
};
enum { CLOCKS = sizeof clocks / sizeof *clocks };

/* The lines below "parameters:": "  name: value". */
static void read_texts(timing_set *set)
{
    char path[512], line[256], name[40], value[40];
    uint32_t is_inside = 0;
    snprintf(path, sizeof path, "%s/%s", DRAM_CONFIGS, set->file);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    while (fgets(line, sizeof line, file)) {
        if (is_inside && sscanf(line, "  %39[a-z0-9_]: %39[^\n#]", name, value) == 2) {
            cr_assert_lt(set->count, TIMING_TEXTS);
            snprintf(set->texts[set->count++], sizeof *set->texts, "%s=%s", name, value);
        }
        is_inside |= strncmp(line, "parameters:", 11) == 0;
    }
    fclose(file);
    cr_assert_geq(set->count, 20, "%s: %u parameters", path, set->count);
}

static void expect_all_files(void)
{
    DIR *folder = opendir(DRAM_CONFIGS);
    cr_assert_not_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        uint32_t is_known = entry->d_name[0] == '.';
        for (uint32_t i = 0; i < CLOCKS; i++)
            is_known |= strcmp(entry->d_name, clocks[i].file) == 0;
        cr_assert(is_known, "%s has no clock", entry->d_name);
    }
    closedir(folder);
}

uint32_t timing_sets_read(timing_set sets[TIMING_SETS])
{
    expect_all_files();
    for (uint32_t i = 0; i < CLOCKS; i++) {
        sets[i] = (timing_set){.hz = clocks[i].hz};
        snprintf(sets[i].file, sizeof sets[i].file, "%s", clocks[i].file);
        read_texts(&sets[i]);
    }
    return CLOCKS;
}

/* NULL at the end. */
static void gather(const timing_set *set, const char *const *more, const char *all[TIMING_TEXTS + 16])
{
    uint32_t count = 0;
    all[count++] = "latency=10 cycles";
    for (uint32_t i = 0; i < set->count; i++)
        all[count++] = set->texts[i];
    while (*more)
        all[count++] = *more++;
    all[count] = NULL;
}

kit_block *timing_set_make(const timing_set *set, const char *const *more)
{
    static const uint32_t endpoints[] = {0};
    const char *all[TIMING_TEXTS + 16];
    gather(set, more, all);
    kit_block *kit = kit_create(&hd_dram_banked, all);
    kit_clock(kit, set->hz);
    kit_address_map(kit, 1, 4096, endpoints);
    kit_connect(kit, 0, 0, 3, 16);
    kit_record(kit);
    return kit;
}

static uint64_t value(const hd_value *values, const char *name)
{
    for (uint32_t i = 0; i < hd_dram_banked.parameter_count; i++)
        if (strcmp(hd_dram_banked.parameters[i].name, name) == 0)
            return values[i].u;
    cr_assert_fail("there is no parameter %s", name);
    return 0;
}

uint64_t timing_set_value(const timing_set *set, const char *name)
{
    static const char *const nothing[] = {NULL};
    hd_value values[64];
    const char *all[TIMING_TEXTS + 16];
    cr_assert_leq(hd_dram_banked.parameter_count, 64);
    gather(set, nothing, all);
    kit_values(&hd_dram_banked, all, values);
    return value(values, name);
}

jedec_device timing_set_device(const timing_set *set, const char *const *more)
{
    hd_value values[64];
    const char *all[TIMING_TEXTS + 16];
    cr_assert_leq(hd_dram_banked.parameter_count, 64);
    gather(set, more, all);
    kit_values(&hd_dram_banked, all, values);
    jedec_device device = {.banks = (uint32_t)value(values, "banks"),
                           .groups = (uint32_t)value(values, "bank_groups"),
                           .clock = {set->hz}};
    struct dram_timing *t = &device.timing;
    const struct {
        const char *name;
        uint32_t *to;
    } fields[] = {{"burst", &t->burst},
                  {"tcl", &t->tcl},
                  {"tcwl", &t->tcwl},
                  {"trcd", &t->trcd},
                  {"trp", &t->trp},
                  {"tras", &t->tras},
                  {"trc", &t->trc},
                  {"trrd_s", &t->trrd_s},
                  {"trrd_l", &t->trrd_l},
                  {"tfaw", &t->tfaw},
                  {"tccd_s", &t->tccd_s},
                  {"tccd_l", &t->tccd_l},
                  {"twr", &t->twr},
                  {"twtr_s", &t->twtr_s},
                  {"twtr_l", &t->twtr_l},
                  {"trtp", &t->trtp},
                  {"turnaround", &t->turnaround}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i].to = (uint32_t)value(values, fields[i].name);
    t->trfc = (uint32_t)hd_clock_index_at_or_after(device.clock, value(values, "trfc"));
    t->trefi = hd_clock_index_at_or_after(device.clock, value(values, "trefi"));
    return device;
}
