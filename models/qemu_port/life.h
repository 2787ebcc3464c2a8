/* SPDX-License-Identifier: MIT */
/* What the declaration refers to. */
#ifndef QEMU_PORT_LIFE_H
#define QEMU_PORT_LIFE_H

#include "state.h"

hd_block *qemu_port_create_device(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
hd_block *qemu_port_create_host(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void qemu_port_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void qemu_port_reset(hd_block *block);
hd_time qemu_port_advance(hd_block *block, hd_time now, hd_time horizon);
void qemu_port_destroy(hd_block *block);
const void *qemu_port_extension(hd_block *block, const char *id);

#endif
