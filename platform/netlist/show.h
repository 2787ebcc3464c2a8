/* SPDX-License-Identifier: MIT */
/*
 * How pieces of a resolved netlist are written for people and for the loader.
 */
#ifndef NETLIST_SHOW_H
#define NETLIST_SHOW_H

#include "netlist.h"

#define NETLIST_SHOWN_BYTES 320u

/* A parameter's value as a netlist writes it; exact: in the base unit, else in the largest unit that is exact. */
void netlist_print_value(const hd_parameter *declared, const hd_value *value, int is_exact, char *text, size_t bytes);

/* "core[3].request", "net.input[7]". */
void netlist_print_end(const netlist *machine, netlist_end end, char *text, size_t bytes);

/* "5 cycles" if it is so many of that clock, else a time. */
void netlist_print_latency(hd_time latency, hd_clock clock, char *text, size_t bytes);

/* Where the value of a key is written: of the netlist itself, of address_map, of a block, of a link. line 0: nowhere, it is
 * the default. */
netlist_place netlist_written_at(const netlist *machine, const char *key);
netlist_place netlist_map_written_at(const netlist *machine, const char *key);
netlist_place netlist_perturb_written_at(const netlist *machine, const char *key);
netlist_place netlist_block_written_at(const netlist *machine, uint32_t block, const char *key);
netlist_place netlist_link_written_at(const netlist *machine, uint32_t link, const char *key);

/* The energy table of a machine that has one: what it says of its blocks. A new reference. */
struct json_t;
struct json_t *netlist_energy_json(const netlist *machine);

/* How many links from index on are alike: between the same ports, as fast and as deep. */
uint32_t netlist_same_link(const netlist *machine, uint32_t index);

/* netlist_reach.c: how soon the work of each block reaches another, and by which link. */
struct arena;
void netlist_print_reach(const netlist *machine, struct arena *memory, FILE *out);

#endif
