#ifndef @NAME@_H
#define @NAME@_H

#include "hd_block.h"

extern const hd_block_class @name@_class;

/* Indices into its tables of ports, parameters and statistics. */
enum { @NAME@_ACCESS, @NAME@_MEMORY, @NAME@_IN, @NAME@_OUT, @NAME@_PORTS };
enum { @NAME@_LATENCY, @NAME@_ROOM, @NAME@_PARAMETERS };
enum { @NAME@_REQUESTS, @NAME@_RESPONSES, @NAME@_MESSAGES, @NAME@_HELD_MAXIMUM, @NAME@_STATISTICS };

#endif
