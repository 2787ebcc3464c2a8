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

/* Writes and reads words by memory protocol and faults if it reads back anything else. When all is done it asks for a
 * rendezvous, where it aligns: the word at EXAMPLE_DIRTY_ADDRESS is dirty in it until then. */
extern const hd_block_class example_requester;
enum { EXAMPLE_REQUESTER_MEMORY };
#define EXAMPLE_DIRTY_ADDRESS 0x800u
#define EXAMPLE_DIRTY_WORD UINT64_C(0x0123456789ABCDEF)

/* Answers each request a fixed time after it took it, in order. */
extern const hd_block_class example_memory;
enum { EXAMPLE_MEMORY_HOST };
#define EXAMPLE_MEMORY_BYTES 4096u

#endif
