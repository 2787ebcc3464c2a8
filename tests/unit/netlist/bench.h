/* SPDX-License-Identifier: MIT */
/*
 * Files in a directory of their own, and machines loaded from them with the fake classes.
 */
#ifndef NETLIST_BENCH_H
#define NETLIST_BENCH_H

#include "fake_blocks.h"
#include "netlist.h"

/* Goes to a new empty directory; leave removes it and all that is in it. */
void bench_enter(void);
void bench_leave(void);

void bench_write(const char *path, const void *bytes, size_t length);
void bench_text(const char *path, const char *text);

/* A machine of two probes' worth of text: head (version, name, one clock "core" of 1 GHz), then what is given. */
#define BENCH_HEAD "heddle: 1\nname: bench\nclocks: {core: 1 GHz, slow: core / 2}\n"

/* Loads text from "machine.yaml" and expects it to be good. overrides ends with NULL. */
netlist *bench_load(const char *text, const char *const *overrides);

/* The same for a file that is there. */
netlist *bench_load_file(const char *path, const char *const *overrides);

/* Loads text and expects an error; the text of the errors, to be freed. */
char *bench_errors(const char *text, const char *const *overrides);

uint32_t bench_block(const netlist *machine, const char *name);
uint32_t bench_parameter(const netlist *machine, const char *block, const char *parameter);
const hd_value *bench_value(const netlist *machine, const char *block, const char *parameter);
const netlist_place *bench_origin(const netlist *machine, const char *block, const char *parameter);

/* "a[1].out -> b.in[3]" of a flattened link. Valid until the next call. */
const char *bench_link(const netlist *machine, uint32_t link);

/* What a writer writes, as text to be freed. */
char *bench_written(const netlist *machine, void (*write)(const netlist *machine, FILE *out));

#endif
