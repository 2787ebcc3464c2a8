/* SPDX-License-Identifier: MIT */
/* The address windows of a resolved machine. */
#ifndef NETLIST_WINDOWS_H
#define NETLIST_WINDOWS_H

#include "arena.h"
#include "netlist.h"

/* A window of a block: of each of its instances, which all have the same parameters. */
typedef struct netlist_window {
    const hd_window *declared;
    uint32_t block;
    uint32_t port;  /* at which it is seen; NETLIST_NONE: physical memory */
    uint64_t first; /* address */
    uint64_t last;  /* saturated */
} netlist_window;

/* All windows in file order. Windows without bytes are left out. */
netlist_window *netlist_windows(const netlist *machine, arena *memory, uint32_t *count);

/* First address behind the memory that blocks own; 0: none does. */
uint64_t netlist_memory_end(const netlist *machine);

/* A window that accesses from one element of a port reach. */
typedef struct netlist_bus_window {
    uint32_t element;
    const netlist_window *window;
} netlist_bus_window;

/* What lies behind an initiator port of one instance, those behind further buses (HD_BLOCK_DECODES) included, by address. */
netlist_bus_window *netlist_windows_behind(const netlist *machine, uint32_t block, uint32_t instance, uint32_t port,
                                           arena *memory, uint32_t *count);

/* Can one address mean both? A window and itself: in two instances of its block. */
int netlist_windows_collide(const netlist_window *a, const netlist_window *b);

#endif
