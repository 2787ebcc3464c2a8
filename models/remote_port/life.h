/* SPDX-License-Identifier: MIT */
/* What the declaration refers to. */
#ifndef REMOTE_PORT_LIFE_H
#define REMOTE_PORT_LIFE_H

#include "hd_host.h"
#include "state.h"

hd_block *remote_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void remote_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void remote_reset(hd_block *block);
hd_time remote_advance(hd_block *block, hd_time now, hd_time horizon);
void remote_destroy(hd_block *block);
const void *remote_extension(hd_block *block, const char *id);

#endif
