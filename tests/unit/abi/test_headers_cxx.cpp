/* SPDX-License-Identifier: MIT */
#include <cassert>
#include <cstddef>

#include "hd_address.h"
#include "hd_block.h"
#include "hd_context.h"
#include "hd_extension.h"
#include "hd_fnv.h"
#include "hd_getm.h"
#include "hd_interleave.h"
#include "hd_link.h"
#include "hd_message.h"
#include "hd_packet.h"
#include "hd_ring.h"
#include "hd_state.h"
#include "hd_time.h"
#include "hd_units.h"
#include "hd_word_map.h"
#include "hd_work.h"

extern "C" {
size_t cxx_size_of_class(void);
size_t cxx_size_of_services(void);
size_t cxx_size_of_launch(void);
}

size_t cxx_size_of_class(void)
{
    return sizeof(hd_block_class);
}

size_t cxx_size_of_services(void)
{
    return sizeof(hd_services);
}

size_t cxx_size_of_launch(void)
{
    return sizeof(hd_block_launch);
}
