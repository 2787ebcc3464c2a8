/* SPDX-License-Identifier: MIT */
/*
 * Tiny blocks for tests of the engine: each does one thing, and shows how a block is written.
 */
#ifndef HEDDLE_EXAMPLE_BLOCKS_H
#define HEDDLE_EXAMPLE_BLOCKS_H

#include "hd_block.h"

#define EXAMPLE_MESSAGE "example.data/1" /* body: two words, sequence number and a random word */

extern const hd_block_class example_source;
enum { EXAMPLE_SOURCE_OUT };

extern const hd_block_class example_sink;
enum { EXAMPLE_SINK_IN };

/* Routes by destination, one packet per input and edge, without a buffer of its own. */
extern const hd_block_class example_forwarder;
enum { EXAMPLE_FORWARDER_IN, EXAMPLE_FORWARDER_OUT };

/* Keeps every packet for a random number of cycles, in order; promises as late as it can. */
extern const hd_block_class example_delayer;
enum { EXAMPLE_DELAYER_IN, EXAMPLE_DELAYER_OUT };

#endif
