// SPDX-License-Identifier: MIT
#include "platform_cpu.h"

#include <cstring>
#include <sstream>

#include "hd_queue.h"

void platform_cpu::more(std::uint32_t sum, std::uint32_t bytes)
{
    if (copies)
        copy(sum, bytes);
    if (thinks == thinks.zero())
        return;
    thought.begin(thinks);
    sc_core::wait(thought.found);
}

void platform_cpu::copy(std::uint32_t sum, std::uint32_t bytes)
{
    std::vector<unsigned char> expected(bytes), found(bytes);
    hd_queue_copy descriptor = {};
    descriptor.mark = HD_DESCRIPTOR_COPY;
    descriptor.copy.direction = HD_COPY_FROM_DEVICE;
    descriptor.copy.host_address = platform_memory::first_address + 4096;
    descriptor.copy.device_address = sum;
    descriptor.copy.bytes = bytes;
    execute(&descriptor);
    read_all(sum, expected.data(), bytes);
    if (std::memcmp(memory.at(4096), expected.data(), bytes))
        end(false, "the copy is not in the memory of the platform");
    const std::uint32_t again = allocate(bytes);
    descriptor.copy.number = 1;
    descriptor.copy.direction = HD_COPY_TO_DEVICE;
    descriptor.copy.device_address = again;
    execute(&descriptor);
    read_all(again, found.data(), bytes);
    if (found != expected)
        end(false, "the copy is not in the memory of the device");
}

void platform_cpu::end(bool is_good, const char *why)
{
    std::ostringstream text;
    text << name() << (is_good ? " is done" : " fails: ") << why << " at " << sc_core::sc_time_stamp() << ", accesses "
         << accesses;
    if (!is_good)
        SC_REPORT_ERROR("platform", text.str().c_str());
    SC_REPORT_INFO("platform", text.str().c_str());
    if (!--running)
        sc_core::sc_stop();
    sc_core::wait();
}
