/* SPDX-License-Identifier: MIT */
/* Makes the one mistake that it is told to make: some with the runtime, some that only firmware can make. */
#include "common/host_check.h"

#define BYTES 256u
#define NOWHERE UINT64_C(0x20000000000)
#define INTERRUPTS UINT64_C(0x18010000000) /* registers of the interrupt controller; each is 4 bytes */

/* Of 4 bytes in one access: the compiler does not see the address. */
static uint32_t __attribute__((noinline)) load(volatile uint32_t *address)
{
    return *address;
}

static void __attribute__((noinline)) store_nowhere(volatile uint32_t *address)
{
    *address = 0;
}

static uint32_t __attribute__((noinline)) recurse(volatile uint32_t *depth)
{
    volatile uint32_t next = *depth + 1;
    return next ? recurse(&next) + next : 0;
}

static void spin(void)
{
    for (;;)
        __asm__ volatile("");
}

int hd_app_main(void)
{
    const char *mistake = hd_option_text("mistake", "none");
    volatile uint32_t depth = 0;
    uint8_t *words = hd_host_alloc(2 * BYTES);
    hd_device_ptr data = host_filled(0, BYTES);
    if (!strcmp(mistake, "outside"))
        load((uint32_t *)NOWHERE);
    else if (!strcmp(mistake, "unaligned"))
        load((uint32_t *)(INTERRUPTS + 2));
    else if (!strcmp(mistake, "refused"))
        (void)*(volatile uint8_t *)(INTERRUPTS + 1);
    else if (!strcmp(mistake, "outside_function"))
        store_nowhere((uint32_t *)NOWHERE);
    else if (!strcmp(mistake, "recursion"))
        recurse(&depth);
    else if (!strcmp(mistake, "endless"))
        spin();
    else if (!strcmp(mistake, "unknown_kernel"))
        hd_kernel_named("no_such_kernel");
    else if (!strcmp(mistake, "copy_beyond"))
        hd_copy_to_device(data, words, BYTES + 1);
    hd_free(data);
    if (!strcmp(mistake, "double_free"))
        hd_free(data);
    else if (!strcmp(mistake, "use_after_free"))
        hd_copy_from_device(words, data, BYTES);
    return HD_PASS;
}
