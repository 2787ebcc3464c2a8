/* SPDX-License-Identifier: MIT */
/* Machines of example blocks for the tests of the engine. */
#ifndef TEST_NETWORK_H
#define TEST_NETWORK_H

#include "engine_link.h"
#include "example_blocks.h"
#include "kit.h"

uint32_t network_add(hd_engine *engine, const hd_block_class *block_class, const char *name, uint64_t hz,
                     const char *const *parameters);

/* Links one element to one element; latencies in ps, both directions of a memory link alike. */
void network_link(hd_engine *engine, uint32_t from, uint32_t from_port, uint32_t from_element, uint32_t to,
                  uint32_t to_port, uint32_t to_element, hd_time latency, hd_time credit_latency, uint32_t credits);

#define WIRE_NONE 0u
#define WIRE_ALL 1u
#define WIRE_SOME 2u

/* A random machine: sources, delayers, a tree of forwarders, sinks, and requesters with memories; clocks, latencies
 * and credits drawn from seed. Elaborated and reset. */
hd_engine *network_random(uint64_t seed, uint32_t wires);
/* The same machine for any number of threads. */
hd_engine *network_random_threads(uint64_t seed, uint32_t wires, uint32_t threads);
/* The same with all its links perturbed (hd_engine_perturb). */
hd_engine *network_perturbed(uint64_t seed, uint32_t wires, uint32_t threads, uint64_t perturbation, hd_time delay);

/* Runs to the end, carrying what is on wires at its arrival time. Returns a hash of all statistics, of all packets sent
 * (in order of time and block) and of the random streams. */
uint64_t network_run(hd_engine *engine);
/* Likewise, and nobody hears of packets: the engine may take leaps. The hash is of statistics and random streams. */
uint64_t network_run_unobserved(hd_engine *engine);

#endif
