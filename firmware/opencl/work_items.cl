/* SPDX-License-Identifier: MIT */
/* Who am I: of the three dimensions, by the registers of the core and the header of the launch (platform/kernelc/kernel_format.h). What
 * is not in libclc already. */
#define HEADER ((__constant const uint *)0x0C000000) /* the argument block, HD_CONSTANT_BASE */

#define DIMENSION(function, x, y, z, otherwise)                                                                        \
    __attribute__((overloadable, always_inline, const)) uint function(uint dimension)                                  \
    {                                                                                                                  \
        uint value = otherwise;                                                                                        \
        if (dimension == 0)                                                                                            \
            __asm__("csrr %0, " x : "=r"(value));                                                                      \
        else if (dimension == 1)                                                                                       \
            __asm__("csrr %0, " y : "=r"(value));                                                                      \
        else if (dimension == 2)                                                                                       \
            __asm__("csrr %0, " z : "=r"(value));                                                                      \
        return value;                                                                                                  \
    }

DIMENSION(get_local_id, "0xCC0", "0xCC1", "0xCC2", 0)
DIMENSION(get_group_id, "0xCC3", "0xCC4", "0xCC5", 0)
DIMENSION(get_local_size, "0xCC6", "0xCC7", "0xCC8", 1)
DIMENSION(get_num_groups, "0xCC9", "0xCCA", "0xCCB", 1)

__attribute__((overloadable, always_inline, const)) uint get_work_dim(void)
{
    return HEADER[0];
}

__attribute__((overloadable, always_inline, const)) uint get_global_offset(uint dimension)
{
    return dimension < 3 ? HEADER[1 + dimension] : 0;
}
