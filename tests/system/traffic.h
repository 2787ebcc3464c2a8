/* SPDX-License-Identifier: MIT */
/* What blocks have sent over the links of a machine in this process. */
#ifndef SYSTEM_TRAFFIC_H
#define SYSTEM_TRAFFIC_H

#include <jansson.h>

#include "machine.h"

typedef struct traffic traffic;

/* hd_machine_setup.sent and its sent_context. The machine is given once it is open, before it runs. */
traffic *traffic_new(void);
void traffic_free(traffic *seen);
void traffic_watch(traffic *seen, hd_machine *machine);
void traffic_sent(void *seen, uint32_t block, uint32_t port, uint32_t element, const hd_packet *packet, hd_time t);

/* Adds names of ports to the elements of the machine's instances (measures.h). */
void traffic_measure(const traffic *seen, json_t *measures);

#endif
