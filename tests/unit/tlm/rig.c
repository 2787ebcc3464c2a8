/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "example_blocks.h"

void rig_open(rig *rig, const char *text, foreign_models *models, hd_tlm_options options)
{
    static const hd_block_class *const classes[] = {
        &example_source,    &example_sink,   &example_forwarder,    &example_delayer,
        &example_requester, &example_memory, &foreign_target_class, &foreign_initiator_class,
    };
    char path[] = "/tmp/heddle-rig.XXXXXX", *error = NULL;
    int file = mkstemp(path);
    cr_assert(file >= 0);
    dprintf(file, "heddle: 1\nname: rig\nclocks: {clk: 1 GHz}\n%s", text);
    close(file);
    netlist_registry registry = {.classes = classes, .count = sizeof classes / sizeof *classes};
    rig->list = netlist_load(path, registry, NULL, 0, &error);
    unlink(path);
    cr_assert(rig->list, "%s", error);
    if (models) {
        options.context = models;
        options.foreign = foreign_socket;
        options.release = foreign_release;
    }
    rig->models = models;
    rig->machine = hd_tlm_create(rig->list, &options, NULL, NULL, 1, &error);
    cr_assert(rig->machine, "%s", error);
    rig->engine = hd_tlm_engine(rig->machine);
}

void rig_close(rig *rig)
{
    hd_tlm_destroy(rig->machine);
    netlist_free(rig->list);
    if (rig->models)
        foreign_free(rig->models);
}

const char *rig_run(rig *rig, hd_time stretch)
{
    hd_time t = 0;
    for (int i = 0; i < 100000; i++) {
        t += stretch;
        if (hd_tlm_run(rig->machine, t) == HD_NEVER)
            return hd_engine_fault(rig->engine, NULL, NULL);
    }
    return "the run does not end";
}

uint64_t rig_count(const rig *rig, const char *block, const char *statistic)
{
    uint32_t number = hd_engine_find_block(rig->engine, block);
    cr_assert(number != HD_NO_BLOCK, "no block %s", block);
    const hd_block_class *type = hd_engine_block_class(rig->engine, number);
    for (uint32_t i = 0; i < type->statistic_count; i++)
        if (!strcmp(type->statistics[i].name, statistic))
            return hd_engine_counters(rig->engine, number)[i];
    cr_assert_fail("no statistic %s", statistic);
    return 0;
}
