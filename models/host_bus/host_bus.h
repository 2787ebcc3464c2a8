/* SPDX-License-Identifier: MIT */
/*
 * (host_bus, decoder): takes accesses of initiators to the target behind which the address is, and its answers back.
 *
 * A bus of two channels, requests and responses; each moves one packet at a time, `width` bytes a cycle. Initiators, and
 * targets that answer, take turns. Which addresses are where follows from the windows that the targets declare
 * ("heddle.bus_map/1"); an access that lies in none, or not wholly in one, is answered HD_STATUS_ADDRESS_ERROR.
 *
 * At most `requests` accesses are under way. Accesses of one initiator to one target keep their order.
 */
#ifndef HOST_BUS_H
#define HOST_BUS_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const hd_block_class hd_host_bus_decoder;

#ifdef __cplusplus
}
#endif

#endif
