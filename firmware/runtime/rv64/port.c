/* SPDX-License-Identifier: MIT */
/* The firmware port of the runtime: the program is all there is, accesses are loads and stores, errors go to the mailbox. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "exit_device.h"
#include "hd_address.h"
#include "hd_queue.h"
#include "host_memory.h"
#include "kernel_image.h"
#include "runtime_internal.h"

static runtime the_runtime; /* the platform finds its heap by this name (platform/host/firmware.h) */

runtime *runtime_current(void)
{
    return &the_runtime;
}

/* ---- Options ------------------------------------------------------------------------------------------------------ */

static uint32_t read_options(hd_host_option **options)
{
    static char text[MAILBOX_TEXT_BYTES + 1];
    uint32_t count = 0;
    *options = NULL;
    for (; mailbox_command(MAILBOX_OPTION, NULL, 0, count, text); count++) {
        char *copy = strdup(text);
        hd_host_option *grown = realloc(*options, (count + 1) * sizeof *grown);
        if (!copy || !grown)
            runtime_error(&the_runtime, "the host has no memory left");
        char *value = strchr(copy, '=');
        *value = 0;
        grown[count] = (hd_host_option){.name = copy, .value = value + 1};
        *options = grown;
    }
    return count;
}

/* ---- Results ------------------------------------------------------------------------------------------------------ */

/* Returns 0 if there are more, or longer names, than the mailbox takes. */
static int send_reports(const runtime *rt)
{
    for (uint32_t i = 0; i < rt->report_count; i++) {
        const hd_host_report *told = &rt->reports[i];
        const size_t bytes = strlen(told->name) + 1;
        if (bytes > MAILBOX_TEXT_BYTES || !mailbox_command(MAILBOX_REPORT, told->name, bytes, told->value, NULL))
            return 0;
    }
    return 1;
}

static void send_launches(const runtime *rt)
{
    for (uint32_t i = 0; i < rt->own.launch_count; i++) {
        const hd_host_launch *launch = &rt->own.launches[i];
        mailbox_launch told = {.queue = launch->queue,
                               .complete = launch->complete,
                               .start_cycle = launch->start_cycle,
                               .end_cycle = launch->end_cycle};
        strncpy(told.kernel, launch->kernel, sizeof told.kernel - 1);
        memcpy(told.grid_size, launch->grid_size, sizeof told.grid_size);
        memcpy(told.block_size, launch->block_size, sizeof told.block_size);
        mailbox_command(MAILBOX_LAUNCH, &told, sizeof told, i, NULL);
    }
}

void runtime_end(runtime *rt, uint32_t status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rt->message, sizeof rt->message, format, arguments);
    va_end(arguments);
    if (!send_reports(rt) && status == HD_HOST_PASS) {
        status = HD_HOST_ERROR;
        snprintf(rt->message, sizeof rt->message, "firmware reports at most %u results, with names of at most %u bytes",
                 MAILBOX_REPORTS_MAX, MAILBOX_TEXT_BYTES - 1);
    }
    send_launches(rt);
    mailbox_command(MAILBOX_MESSAGE, rt->message, strlen(rt->message) + 1, 0, NULL);
    mailbox_exit(status == HD_HOST_PASS ? EXIT_PASS : status == HD_HOST_FAIL ? EXIT_FAIL : EXIT_ERROR);
}

/* Where exit() and abort() of the C library end. */
__attribute__((noreturn)) void _exit(int code);
void _exit(int code)
{
    (void)code;
    runtime_error(&the_runtime, "the host program called exit; a program ends where hd_app_main returns");
}

void port_print(runtime *rt, const char *line)
{
    (void)rt;
    uart_line(line);
}

/* ---- The device --------------------------------------------------------------------------------------------------- */

void bus_read(runtime *rt, void *into, uint64_t address, uint64_t bytes)
{
    (void)rt;
    if (address >= HD_HOST_MMIO_BASE)
        *(uint32_t *)into = device_read_32(address);
    else
        device_copy_in(into, address, bytes);
}

void bus_write(runtime *rt, uint64_t address, const void *from, uint64_t bytes)
{
    (void)rt;
    if (address >= HD_HOST_MMIO_BASE)
        device_write_32(address, *(const uint32_t *)from);
    else
        device_copy_out(address, from, bytes);
}

void bus_fill(runtime *rt, uint64_t address, uint32_t value, uint64_t bytes)
{
    (void)rt;
    device_fill(address, (uint8_t)value, bytes);
}

uint32_t bus_wait(runtime *rt, uint32_t queue, uint32_t count)
{
    const uint32_t completed = HD_REGISTER_QUEUE_BASE + queue * HD_REGISTER_QUEUE_STRIDE + HD_QUEUE_COMPLETED;
    while ((int32_t)(register_read(rt, completed) - count) < 0) {
        if (register_read(rt, HD_REGISTER_ERROR) != HD_QUEUE_ERROR_NONE)
            return 0;
        interrupts_await();
    }
    return 1;
}

/* RAM has the addresses that it has on the bus. */
uint64_t port_share(runtime *rt, void *memory, uint64_t bytes)
{
    (void)rt, (void)bytes;
    return (uintptr_t)memory;
}

void port_unshare(runtime *rt, uint64_t address)
{
    (void)rt, (void)address;
}

__attribute__((noreturn)) void firmware_main(uint64_t unused, uint64_t ram_bytes);
void firmware_main(uint64_t unused, uint64_t ram_bytes)
{
    hd_host_option *options;
    (void)unused;
    host_memory_begin(ram_bytes);
    const uint32_t option_count = read_options(&options);
    const hd_host_program program = {.entry = hd_app_main,
                                     .kernels = kernel_image_open(),
                                     .module = 0,
                                     .option_count = option_count,
                                     .options = options};
    runtime_init(&the_runtime, &program);
    interrupts_start();
    runtime_run(&the_runtime);
}
