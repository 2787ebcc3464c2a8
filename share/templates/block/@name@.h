#ifndef @NAME@_H
#define @NAME@_H

#include "hd_block.h"

extern const hd_block_class @name@_class;

/* Indices into its tables of ports, parameters and statistics. */
enum { @NAME@_ACCESS };
enum { @NAME@_LATENCY, @NAME@_QUEUE, @NAME@_PARAMETERS };
enum { @NAME@_READS, @NAME@_WRITES, @NAME@_QUEUE_MAXIMUM, @NAME@_STATISTICS };

#endif
