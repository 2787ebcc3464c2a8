/* SPDX-License-Identifier: MIT */
/*
 * Random traffic through a network of any type, and an oracle: each packet comes out once for each of its endpoints, and
 * those of one (source, destination, unit) in the order in which they went in.
 */
#ifndef NETWORK_BENCH_H
#define NETWORK_BENCH_H

#include "bench.h"

enum { NETWORK_ELEMENTS = 12, NETWORK_UNITS = 3, NETWORK_PARAMETERS = 24 };

/* Parameters of random values, as texts; NULL at the end. */
typedef struct network_setting {
    char text[NETWORK_PARAMETERS][40];
    const char *list[NETWORK_PARAMETERS + 1];
    uint32_t count;
} network_setting;
void setting_add(network_setting *setting, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One of the block's choices. */
typedef void random_setting(network_setting *setting, uint64_t *random);
random_setting random_crossbar, random_islip, random_ideal, random_mesh;

/* Units of an endpoint e: unit u is endpoint e + u * NETWORK_ELEMENTS, which an output of its own or that of the endpoint
 * leads to. */
void network_provide_units(kit_block *kit);

/* So many packets under random back-pressure, in rounds of random settings, links and numbers of ports. Returns how many
 * were delivered; fails the test at the first that is lost, doubled or out of order. */
uint64_t network_stress(const hd_block_class *type, random_setting *random, uint64_t seed, uint64_t packets);
/* How many: `few`, or the environment's HEDDLE_NETWORK_PACKETS. */
uint64_t network_packets(uint64_t few);

#endif
