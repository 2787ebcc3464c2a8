/* SPDX-License-Identifier: MIT */
/* Firmware that is none, or does what has no meaning: one clear error. What the runtime refuses it refuses in the same words
 * natively. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"

#define NATIVE SYSTEM_MACHINES "/small.yaml"
#define FIRMWARE SYSTEM_MACHINES "/firmware.yaml"
#define DMA SYSTEM_MACHINES "/dma.yaml"
#define FIRMWARE_DMA SYSTEM_MACHINES "/firmware_dma.yaml"
#define MISUSE SYSTEM_APPS "/misuse"

/* All that is said as an error, from "error: " on. */
static void expect_text(const finished *run, int code, const char *text)
{
    expect_code(run, code);
    const char *error = strstr(run->err, "error: ");
    cr_assert(error, "no error:\n%s", run->err);
    cr_expect(!strncmp(error + strlen("error: "), text, strlen(text)), "not '%s':\n%s", text, run->err);
    cr_expect_null(strstr(error + 1, "error: "), "not one error:\n%s", run->err);
}

/* On every host, a text somewhere in the one error. */
static void expect_part_anywhere(const char *mistake, const char *part)
{
    static const char *const machines[] = {NATIVE, FIRMWARE, DMA, FIRMWARE_DMA};
    char *set = text_of("app.mistake=%s", mistake);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        finished run = heddle("run", machines[i], MISUSE, "--set", set);
        expect_text(&run, 1, "");
        expect_error(&run, part);
        finished_free(&run);
    }
    free(set);
}

static void expect_mistake(const char *machine, const char *mistake, const char *text)
{
    char *set = text_of("app.mistake=%s", mistake);
    finished run = heddle("run", machine, MISUSE, "--set", set, "--set", "limit=2 ms");
    expect_text(&run, 1, text);
    expect_output(&run, "FAIL  misuse");
    finished_free(&run);
    free(set);
}

static void expect_mistake_anywhere(const char *mistake, const char *text)
{
    expect_mistake(NATIVE, mistake, text);
    expect_mistake(FIRMWARE, mistake, text);
    expect_mistake(DMA, mistake, text);
    expect_mistake(FIRMWARE_DMA, mistake, text);
}

Test(errors_of_firmware, an_access_outside_any_region)
{
    expect_mistake(FIRMWARE, "outside", "firmware: load at 0x20000000000, where nothing answers\n  pc 0x80000");
    finished run = heddle("run", FIRMWARE, MISUSE, "--set", "app.mistake=outside_function");
    expect_text(&run, 1, "firmware: store at 0x20000000000, where nothing answers\n  pc 0x80000");
    expect_error(&run, " (store_nowhere");
    finished_free(&run);
}

Test(errors_of_firmware, an_unaligned_access_to_a_device)
{
    expect_mistake(FIRMWARE, "unaligned", "firmware: load at 0x18010000002 is not aligned\n  pc 0x80000");
}

Test(errors_of_firmware, an_access_that_the_device_refuses)
{
    expect_mistake(FIRMWARE, "refused", "firmware: load at 0x18010000001, which what is there refuses\n  pc 0x80000");
}

Test(errors_of_firmware, a_stack_that_overflows)
{
    expect_mistake(FIRMWARE, "recursion", "firmware: stack overflow: store at 0x7fffff");
}

Test(errors_of_firmware, a_program_that_never_ends)
{
    expect_mistake(
        FIRMWARE, "endless",
        "the limit of simulated time, 2000000 ns, is reached (limit: 2 ms)\n  cpu: the firmware is at pc 0x80000");
}

Test(errors_of_firmware, a_kernel_that_is_not_there)
{
    expect_mistake_anywhere("unknown_kernel", "hd_kernel_named: the kernel program has no function 'no_such_kernel'\n");
}

Test(errors_of_firmware, a_copy_beyond_an_allocation)
{
    expect_mistake_anywhere("copy_beyond", "hd_copy_to_device: 257 bytes at 0x");
}

Test(errors_of_firmware, memory_freed_twice)
{
    expect_mistake_anywhere("double_free", "hd_free: 0x");
}

Test(errors_of_firmware, memory_used_after_it_was_freed)
{
    expect_mistake_anywhere("use_after_free", "hd_copy_from_device: 256 bytes at 0x");
    expect_part_anywhere("use_after_free", ": the memory has been freed\n");
}

Test(errors_of_firmware, an_argument_block_of_the_wrong_size)
{
    expect_mistake_anywhere("short_arguments", "hd_launch of 'nothing': the argument block has 4 bytes, misuse_args of "
                                               "the kernel has 8\n");
    expect_part_anywhere("arguments_of_another", "the argument block has 20 bytes, misuse_args of the kernel has 8\n");
    expect_part_anywhere("no_arguments", "the argument block has 0 bytes, misuse_args of the kernel has 8\n");
    finished run = heddle("run", FIRMWARE, MISUSE);
    expect_code(&run, 0);
    finished_free(&run);
}

Test(errors_of_firmware, copies_in_queues)
{
    expect_mistake_anywhere("queued_copy_beyond", "hd_copy_from_device_on: 256 bytes at 0x");
    expect_mistake_anywhere("no_such_queue", "hd_copy_to_device_on: there is no queue 7\n");
    expect_mistake_anywhere("no_such_copy", "hd_wait_copy: there is no such copy in queue 0\n");
    static const char *const freed =
        "hd_host_free: copy 1, which has not been waited for, uses 256 bytes of the memory\n";
    expect_mistake(DMA, "freed_under_a_copy", freed);
    expect_mistake(FIRMWARE_DMA, "freed_under_a_copy", freed);
}

Test(errors_of_firmware, a_copy_from_where_no_memory_is)
{
    expect_mistake(FIRMWARE, "copy_from_nowhere", "firmware: load at 0x20000000000, where nothing answers\n");
    expect_mistake(FIRMWARE_DMA, "copy_from_nowhere",
                   "the DMA engine was refused an access of copy 1 of 256 bytes: address error at 0x20000000000\n");
}

Test(errors_of_firmware, an_exit_that_is_not_a_return_from_the_program)
{
    finished run = heddle("run", FIRMWARE, SYSTEM_APPS "/faults", "--set", "app.exit=1");
    expect_text(&run, 1, "the host program called exit; a program ends where hd_app_main returns\n");
    finished_free(&run);
}

static void copy_file(const char *from, const char *to)
{
    size_t length;
    char *bytes = file_read(from, &length);
    cr_assert(bytes, "%s", from);
    file_write(to, bytes, length);
    free(bytes);
}

/* An app whose firmware is that file; NULL: it has none. */
static void expect_bad_firmware(const char *firmware, const char *text)
{
    char *folder = folder_new(), *kernel = path_in(folder, "kernel.elf"), *path = path_in(folder, "firmware.elf");
    copy_file(MISUSE "/kernel.elf", kernel);
    if (firmware)
        copy_file(firmware, path);
    finished run = heddle("run", FIRMWARE, folder);
    expect_code(&run, 2);
    expect_error(&run, path);
    expect_error(&run, text);
    finished_free(&run);
    free(kernel);
    free(path);
    folder_remove(folder);
}

Test(errors_of_firmware, an_app_without_firmware)
{
    expect_bad_firmware(NULL, "firmware.elf: No such file or directory\n");
}

Test(errors_of_firmware, firmware_for_another_machine)
{
    expect_bad_firmware(MISUSE "/kernel.elf", "not code for 64-bit little-endian RISC-V: compile with -march=rv64imac");
    expect_bad_firmware(MISUSE "/host.so", "not code for 64-bit little-endian RISC-V: compile with -march=rv64imac");
    expect_bad_firmware(HEDDLE_DOCUMENTS "/abi.md", "not an ELF file\n");
}

Test(errors_of_firmware, firmware_that_does_not_fit_into_ram)
{
    finished run = heddle("run", FIRMWARE, MISUSE, "--set", "cpu.ram.bytes=128 KiB");
    expect_code(&run, 2);
    expect_error(&run, "the firmware needs 0x8000060000 .. 0x80000");
    expect_error(&run, ", which is not in the RAM of the host CPU: cpu.ram.bytes is 128 KiB from 0x8000000000 on\n");
    finished_free(&run);
}

static void expect_memory(const char *ram, const char *bytes, const char *error)
{
    char *set = text_of("cpu.ram.bytes=%s", ram), *option = text_of("app.bytes=%s", bytes);
    finished run = heddle("run", FIRMWARE, MISUSE, "--set", set, "--set", "app.mistake=much_memory", "--set", option);
    expect_code(&run, error ? 1 : 0);
    if (error)
        expect_text(&run, 1, error);
    finished_free(&run);
    free(option);
    free(set);
}

/* Stack and program take less than half a MiB. */
Test(errors_of_firmware, the_heap_is_what_the_machine_leaves_of_ram)
{
    expect_memory("1 MiB", "1 MiB", "hd_host_alloc: the host has no memory for 1048576 bytes\n");
    expect_memory("1 MiB", "512 KiB", NULL);
    expect_memory("2 MiB", "1 MiB", NULL);
    expect_memory("64 MiB", "64 MiB", "hd_host_alloc: the host has no memory for 67108864 bytes\n");
    expect_memory("66 MiB", "64 MiB", NULL);
}

Test(errors_of_firmware, two_devices_of_one_bus_at_overlapping_addresses)
{
    finished run = heddle("run", FIRMWARE, MISUSE, "--set", "uart.address=0x18030000ffc");
    expect_code(&run, 2);
    expect_error(&run, "error[N48]: 'UART' of 'uart' (0x18030000ffc .. 0x18030001003) overlaps 'exit device' of 'exit' "
                       "(0x18030000000 .. 0x18030000fff)\n");
    finished_free(&run);
    run = heddle("check", FIRMWARE, "--set", "uart.address=0x18030001000"); /* side by side */
    expect_code(&run, 0);
    finished_free(&run);
}
