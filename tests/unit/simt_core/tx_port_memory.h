/* SPDX-License-Identifier: MIT */
#ifndef TEST_TX_PORT_MEMORY_H
#define TEST_TX_PORT_MEMORY_H

#include "memory/access.h"

/* A memory pipe in which nothing is: cast. */
extern memory_head tx_port_memory;
extern uint8_t tx_port_scratchpad[64];

#endif
