/* SPDX-License-Identifier: MIT */
/* Makes the one mistake that it is told to make: some with the runtime, some that only firmware can make. */
#include "args.h"
#include "common/host_check.h"

#define BYTES 256u
#define NOWHERE UINT64_C(0x20000000000)
#define INTERRUPTS UINT64_C(0x18010000000) /* registers of the interrupt controller; each is 4 bytes */

HD_FIRMWARE_STACK(0x60000);

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

static void launch(uint32_t argument_bytes)
{
    misuse_args_of_another args = {{0}};
    host_launch("nothing", hd_1d(1), hd_1d(32), 0, &args, argument_bytes);
    hd_synchronize();
}

/* Mistakes with copies in queues. */
static void copy(const char *mistake, hd_device_ptr data, uint8_t *words)
{
    if (!strcmp(mistake, "queued_copy_beyond"))
        hd_copy_from_device_on(HD_DEFAULT_QUEUE, words, hd_offset(data, 1), BYTES);
    else if (!strcmp(mistake, "no_such_queue"))
        hd_copy_to_device_on((hd_queue){7}, data, words, BYTES);
    else if (!strcmp(mistake, "no_such_copy"))
        hd_wait_copy((hd_copied){HD_DEFAULT_QUEUE, 1000});
    else if (!strcmp(mistake, "copy_from_nowhere"))
        hd_copy_to_device(data, (const void *)(uintptr_t)NOWHERE, BYTES);
    if (strcmp(mistake, "freed_under_a_copy"))
        return;
    hd_copy_to_device_on(HD_DEFAULT_QUEUE, data, words + 1, BYTES);
    hd_host_free(words);
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
    else if (!strcmp(mistake, "short_arguments"))
        launch(4);
    else if (!strcmp(mistake, "arguments_of_another"))
        launch(sizeof(misuse_args_of_another));
    else if (!strcmp(mistake, "no_arguments"))
        launch(0);
    else if (!strcmp(mistake, "much_memory"))
        hd_host_free(hd_host_alloc((size_t)host_option("bytes", 1 << 20, 1, UINT32_MAX)));
    else if (!strcmp(mistake, "none"))
        launch(sizeof(misuse_args));
    copy(mistake, data, words);
    hd_free(data);
    if (!strcmp(mistake, "double_free"))
        hd_free(data);
    else if (!strcmp(mistake, "use_after_free"))
        hd_copy_from_device(words, data, BYTES);
    return HD_PASS;
}
