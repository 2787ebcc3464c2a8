#include "args.h"
#include "simt.h"

SIMT_KERNEL(@name@, const @name@_args *args)
{
    uint32_t i = simt_global_index();
    if (i >= args->n)
        return;
    const uint32_t *x = HD_POINTER(const uint32_t, args->x);
    uint32_t *y = HD_POINTER(uint32_t, args->y);
    y[i] = 2 * x[i] + 1;
}
