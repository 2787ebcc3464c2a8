/* SPDX-License-Identifier: MIT */
/*
 * Energy events: what a block or a unit says of where its energy goes. They are counts that it has anyway, so they cost nothing
 * where nobody asks. Joules are in energy tables (docs/energy.md), not here.
 */
#ifndef HD_ENERGY_H
#define HD_ENERGY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where energy goes, by the categories of Fung 2015, Fig. 6.11. */
#define HD_ENERGY_CATEGORIES(X)                                                                                        \
    X(CORE, "core", "cores: fetch, registers, functional units, pipeline, constants")                                  \
    X(L1, "l1", "L1 data caches, logs of transactions included")                                                       \
    X(SMEM, "smem", "scratchpads")                                                                                     \
    X(NOC, "noc", "networks")                                                                                          \
    X(L2, "l2", "L2 slices")                                                                                           \
    X(DRAM, "dram", "memories and their controllers")                                                                  \
    X(TM, "tm", "what a machine has for transactions")                                                                 \
    X(IDLE, "idle", "clocks, and cores without work")                                                                  \
    X(LEAKAGE, "leakage", "leakage")
#define HD_ENERGY_CATEGORY_NUMBER(identifier, name, doc) HD_ENERGY_##identifier,
enum { HD_ENERGY_CATEGORIES(HD_ENERGY_CATEGORY_NUMBER) HD_ENERGY_CATEGORY_COUNT };

/* Something that costs energy whenever it happens, or power while it lasts. How much is no property of the class: energy tables
 * give it (docs/energy.md). */
typedef struct hd_energy_event {
    const char *name; /* of letters, digits and '_' */
    /* How often: counts of the class, joined by " + " and " - ", such as "loads + stores - load_hits". Never below 0. If the first is
     * in cycles, all are, and tables give the power of such a cycle. */
    const char *counts;
    uint32_t category; /* HD_ENERGY_* */
    uint32_t reserved;
    const char *doc; /* one line: what happens once */
} hd_energy_event;
/* A row of a table of them; category without HD_ENERGY_. */
#define HD_ENERGY_ROW(name_, counts_, category_, doc_)                                                                 \
    {                                                                                                                  \
        .name = (name_), .counts = (counts_), .category = HD_ENERGY_##category_, .doc = (doc_)                         \
    }

#ifdef __cplusplus
}
#endif

#endif
