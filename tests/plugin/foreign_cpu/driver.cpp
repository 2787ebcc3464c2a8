// SPDX-License-Identifier: MIT
#include "driver.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>

#include "hd_address.h"
#include "hd_host.h"
#include "hd_queue.h"

static constexpr unsigned int burst = 256; // bytes
static constexpr std::uint32_t entries = 4, threads = 128, vector = 1000;

static constexpr std::uint64_t device = HD_HOST_MMIO_BASE;
static constexpr std::uint64_t queue = device + HD_REGISTER_QUEUE_BASE;
// Interrupt controller: priority of source 1, the completions of the device; enabled; claim. Exit device: exit, command, value, text.
static constexpr std::uint64_t priority = HD_HOST_INTERRUPT_CONTROLLER_BASE + 4,
                               enabled = HD_HOST_INTERRUPT_CONTROLLER_BASE + 0x2000,
                               claim = HD_HOST_INTERRUPT_CONTROLLER_BASE + 0x200004;
static constexpr std::uint32_t doorbell_source = 5; // the first line of source[1]
static constexpr std::uint64_t exit_register = HD_HOST_EXIT_BASE, command = HD_HOST_EXIT_BASE + 8,
                               value_register = HD_HOST_EXIT_BASE + 0x10, text_register = HD_HOST_EXIT_BASE + 0x100;

// ---- The device ---------------------------------------------------------------------------------------------------------

void driver_cpu::write_all(std::uint64_t address, const void *from, std::uint64_t bytes)
{
    auto *next = static_cast<const unsigned char *>(from);
    for (std::uint64_t done = 0; done < bytes; done += burst)
        write(address + done, next + done, static_cast<unsigned int>(std::min<std::uint64_t>(burst, bytes - done)));
}

void driver_cpu::read_all(std::uint64_t address, void *into, std::uint64_t bytes)
{
    auto *next = static_cast<unsigned char *>(into);
    for (std::uint64_t done = 0; done < bytes; done += burst)
        read(address + done, next + done, static_cast<unsigned int>(std::min<std::uint64_t>(burst, bytes - done)));
}

std::uint32_t driver_cpu::allocate(std::uint32_t bytes)
{
    const std::uint32_t address = (free_address + 255) / 256 * 256;
    free_address = address + bytes;
    return address;
}

void driver_cpu::find_device()
{
    if (load(device + HD_REGISTER_IDENTIFICATION) != HD_IDENTIFICATION ||
        load(device + HD_REGISTER_VERSION) != HD_QUEUE_VERSION)
        end(false, "there is no device");
}

// Its segments go to device memory; returns the address of the kernel.
std::uint32_t driver_cpu::load_kernels(const char *kernel)
{
    std::ifstream file(kernels, std::ios::binary);
    const std::vector<char> image{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (image.size() < sizeof(Elf32_Ehdr))
        end(false, "the kernel program cannot be read");
    auto *header = reinterpret_cast<const Elf32_Ehdr *>(image.data());
    auto *segments = reinterpret_cast<const Elf32_Phdr *>(image.data() + header->e_phoff);
    auto *sections = reinterpret_cast<const Elf32_Shdr *>(image.data() + header->e_shoff);
    for (unsigned int i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type != PT_LOAD || !segments[i].p_memsz)
            continue;
        const std::vector<char> zeros(segments[i].p_memsz - segments[i].p_filesz);
        write_all(segments[i].p_vaddr, image.data() + segments[i].p_offset, segments[i].p_filesz);
        write_all(segments[i].p_vaddr + segments[i].p_filesz, zeros.data(), zeros.size());
        free_address = std::max(free_address, segments[i].p_vaddr + segments[i].p_memsz);
    }
    for (unsigned int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB)
            continue;
        auto *symbols = reinterpret_cast<const Elf32_Sym *>(image.data() + sections[i].sh_offset);
        const char *names = image.data() + sections[sections[i].sh_link].sh_offset;
        for (unsigned int k = 0; k < sections[i].sh_size / sizeof *symbols; k++)
            if (!std::strcmp(names + symbols[k].st_name, kernel))
                return symbols[k].st_value;
    }
    end(false, "the kernel program has no such kernel");
    return 0;
}

void driver_cpu::set_up_queue()
{
    ring = allocate(entries * HD_DESCRIPTOR_BYTES);
    completion = allocate(entries * HD_COMPLETION_BYTES);
    argument_block = allocate(256);
    store(queue + HD_QUEUE_RING, ring);
    store(queue + HD_QUEUE_COMPLETION, completion);
    store(queue + HD_QUEUE_ENTRIES, entries);
}

void driver_cpu::set_up_interrupts()
{
    store(priority, 1);
    store(priority + 4 * (doorbell_source - 1), 1);
    store(enabled, 1 << 1 | 1 << doorbell_source);
}

void driver_cpu::launch(std::uint32_t entry, const std::vector<std::uint32_t> &arguments, std::uint32_t blocks)
{
    hd_queue_descriptor descriptor = {};
    descriptor.mark = HD_DESCRIPTOR_LAUNCH;
    descriptor.grid.entry_pc = entry;
    descriptor.grid.argument_bytes = static_cast<std::uint32_t>(4 * arguments.size());
    descriptor.grid.argument_address = argument_block;
    descriptor.grid.grid_size[0] = blocks;
    descriptor.grid.block_size[0] = threads;
    for (unsigned int i = 1; i < 3; i++)
        descriptor.grid.grid_size[i] = descriptor.grid.block_size[i] = 1;
    descriptor.grid.private_bytes = 4096;
    write_all(argument_block, arguments.data(), descriptor.grid.argument_bytes);
    execute(&descriptor);
}

void driver_cpu::execute(const void *descriptor)
{
    write_all(ring + executed % entries * HD_DESCRIPTOR_BYTES, descriptor, HD_DESCRIPTOR_BYTES);
    store(queue + HD_QUEUE_DOORBELL, ++executed);
    wait_for_completion();
}

void driver_cpu::wait_for_completion()
{
    hd_queue_completion record;
    wait_for_interrupt();
    const std::uint32_t source = load(claim);
    if (source != 1)
        end(false, "another interrupt came");
    store(claim, source);
    read_all(completion + (executed - 1) % entries * HD_COMPLETION_BYTES, &record, sizeof record);
    if (record.status != HD_COMPLETION_DONE || record.index != executed - 1)
        end(false, "the completion record does not say that the descriptor is executed");
}

// Twice: the line has to fall in between.
void driver_cpu::ring_twice()
{
    static constexpr std::uint32_t wait = 5000; // ns
    for (unsigned int i = 0; i < 2; i++) {
        const sc_core::sc_time begin = sc_core::sc_time_stamp();
        store(doorbell, wait);
        wait_for_interrupt();
        const std::uint32_t source = load(claim);
        if (source != doorbell_source)
            end(false, "the interrupt is not of the peripheral");
        store(doorbell + 4, 0);
        store(claim, source);
        const double passed = (sc_core::sc_time_stamp() - begin) / sc_core::sc_time(1, sc_core::SC_NS);
        if (passed < wait || passed > 2 * wait)
            end(false, "the interrupt of the peripheral came at another time");
    }
    report("rung", 2);
}

// What a debugger sees at the CPU's bus is what the CPU reads and writes there; registers it sees as they are.
void driver_cpu::check_debug_access(std::uint32_t sum, const std::vector<float> &expected)
{
    const auto bytes = static_cast<unsigned int>(4 * expected.size());
    std::vector<float> seen(expected.size());
    std::uint32_t word = 0x5EED;
    if (debug_access(tlm::TLM_READ_COMMAND, sum, seen.data(), bytes) != bytes || seen != expected)
        end(false, "transport_dbg does not read what is there");
    if (debug_access(tlm::TLM_WRITE_COMMAND, sum + 8, &word, 4) != 4 || load(sum + 8) != word)
        end(false, "transport_dbg does not write where the CPU reads");
    if (debug_access(tlm::TLM_READ_COMMAND, device + HD_REGISTER_IDENTIFICATION, &word, 4) != 4 ||
        word != HD_IDENTIFICATION)
        end(false, "transport_dbg does not read a register");
    if (debug_access(tlm::TLM_WRITE_COMMAND, device + HD_REGISTER_IDENTIFICATION, &word, 4) != 0)
        end(false, "transport_dbg writes a register that is not only kept");
    if (debug_access(tlm::TLM_READ_COMMAND, UINT64_C(1) << 60, &word, 4) != 0)
        end(false, "transport_dbg reads where nothing is");
    report("untimed", bytes);
}

// ---- The program --------------------------------------------------------------------------------------------------------

// Word by word, as the device takes it; the last one ends in a zero byte.
void driver_cpu::print_text(const char *text)
{
    const std::size_t length = std::strlen(text);
    for (std::size_t at = 0; at <= length; at += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, text + at, std::min<std::size_t>(4, length - at));
        store(text_register + at, word);
    }
}

void driver_cpu::report(const char *name, std::uint64_t value)
{
    print_text(name);
    write(value_register, &value, sizeof value);
    store(command, 2);
}

// The model stands still from here on.
void driver_cpu::end(bool is_good, const char *why)
{
    print_text(why);
    store(command, 3);
    store(exit_register, is_good ? 0x5555 : 0x3333);
    sc_core::wait();
}

void driver_cpu::program()
{
    std::vector<float> a(vector), b(vector), c(vector);
    for (unsigned int i = 0; i < vector; i++) {
        a[i] = static_cast<float>(i);
        b[i] = static_cast<float>(3 * i);
    }
    compute(10 * vector);
    find_device();
    const std::uint32_t entry = load_kernels("vecadd"), bytes = 4 * vector;
    set_up_queue();
    set_up_interrupts();
    const std::uint32_t first = allocate(bytes), second = allocate(bytes), sum = allocate(bytes);
    write_all(first, a.data(), bytes);
    write_all(second, b.data(), bytes);
    launch(entry, {first, second, sum, vector}, (vector + threads - 1) / threads);
    read_all(sum, c.data(), bytes);
    for (unsigned int i = 0; i < vector; i++) {
        compute(4);
        if (c[i] != static_cast<float>(4 * i))
            end(false, "an element of the sum is wrong");
    }
    check_debug_access(sum, c);
    if (doorbell)
        ring_twice();
    more(sum, bytes);
    report("accesses", accesses);
    report("syncs", syncs);
    report("direct_requests", direct_requests);
    end(true, "");
}
