/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(nearest_neighbour, const nearest_neighbour_args *args)
{
    uint32_t i = simt_global_index();
    if (i >= args->count)
        return;
    nearest_neighbour_place place = HD_POINTER(const nearest_neighbour_place, args->places)[i];
    int32_t north = place.latitude - args->target.latitude, east = place.longitude - args->target.longitude;
    uint32_t distance = (uint32_t)(north * north + east * east);
    HD_POINTER(uint32_t, args->distances)[i] = distance;
    simt_atomic_minu(HD_POINTER(uint32_t, args->nearest), distance);
}
