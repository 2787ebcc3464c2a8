/* SPDX-License-Identifier: MIT */
/*
 * The energy table of a machine: what each event that its blocks and units declare (hd_energy.h) costs, and power that is drawn
 * whatever happens. A table is a file of its own, which a machine names:
 *
 *   heddle: 1
 *   extends: gtx480                    another table, which this one is laid over; optional. Entries of static are added
 *   name: my_gtx480
 *   process: 40 nm
 *   voltage: {voltage: 1 V, source: F}  optional; scaling (optional): how numbers of other processes were brought here
 *   uncertainty: TEXT                  how far to trust it
 *   sources: {F: "Fung 2015, 6.6.1"}   every number names one of these
 *   area: {area: 520 mm2, source: F}   of the chip; optional
 *   static:                            of the whole machine
 *     - {name: leakage, power: 59 W, category: leakage, source: F}
 *   tm: full_activity                  the category tm: the published power of the structures that blocks and units declare,
 *                                      accessed in every cycle (hd_structure); or events: their events
 *   blocks:                            by kind/type, or kind for all types that are not written
 *     simt_core/timed:
 *       events: {issue: {energy: 54.9 pJ, source: GW}, core_idle: {power: 1.59 W, source: GW}}
 *       leakage: {power: 1 W, source: F}    of each instance, beyond static; optional, as clock and area
 *
 * An event that counts cycles has a power, any other an energy: a whole number of fJ. Nothing is taken for 0: what costs nothing of
 * its own is written as 0 pJ, with the source that says where it is contained. Events of the category tm are needed with `tm: events`
 * alone.
 */
#ifndef NETLIST_ENERGY_H
#define NETLIST_ENERGY_H

#include "energy_counts.h"
#include "netlist.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct netlist_energy_event {
    const hd_energy_event *event;
    energy_counts counts;
    uint64_t femtojoules; /* each; of a cycle rounded to the nearest */
    uint64_t microwatts;  /* of an event that counts cycles */
    const char *source;
} netlist_energy_event;

typedef struct netlist_energy_power {
    uint64_t microwatts; /* 0: none */
    const char *source;
} netlist_energy_power;

/* Of a block of the netlist. */
typedef struct netlist_energy_block {
    const netlist_energy_event *events;
    uint32_t event_count;
    uint32_t declares; /* 0: its class has no events at all, so its energy is not known */
    /* Of each instance: */
    netlist_energy_power leakage;
    netlist_energy_power clock;
    uint64_t square_micrometres;
} netlist_energy_block;

typedef struct netlist_energy_static {
    const char *name;
    const char *source;
    uint32_t category; /* HD_ENERGY_* */
    uint32_t reserved;
    uint64_t microwatts;
} netlist_energy_static;

typedef struct netlist_energy {
    const char *path; /* absolute */
    const char *name;
    const char *process;
    const char *uncertainty;
    const char *scaling;         /* "" if nothing is */
    uint64_t millivolts;         /* 0: not known */
    uint64_t square_micrometres; /* of the chip; 0: not known */
    uint32_t tm_by_events;       /* 0: by structures in full activity */
    uint32_t static_count;
    const netlist_energy_static *statics;
    const netlist_energy_block *blocks; /* by block of the netlist */
    netlist_place place;                /* where the machine names it */
} netlist_energy;

extern const char *const netlist_energy_categories[HD_ENERGY_CATEGORY_COUNT];

/* Sums of energy in fJ, under this name beside the statistics of blocks in results, series and sweeps: the categories, what
 * of them is neither idle nor leakage, and their total. */
#define NETLIST_ENERGY_BLOCK "energy"
#define NETLIST_ENERGY_DYNAMIC HD_ENERGY_CATEGORY_COUNT
#define NETLIST_ENERGY_SUMS (HD_ENERGY_CATEGORY_COUNT + 2u)
const char *netlist_energy_sum_name(uint32_t index);
/* Is this the name of a sum, or a pattern of such names? */
uint32_t netlist_asks_for_energy(const char *pattern);

#ifdef __cplusplus
}
#endif

#endif
