// SPDX-License-Identifier: MIT
// The CPU of the design: the driver of the other plug-in, and a copy from the device to the memory of the design and back.
#ifndef PLATFORM_CPU_H
#define PLATFORM_CPU_H

#include "../foreign_cpu/driver.h"
#include "late_thought.h"
#include "platform_memory.h"

class platform_cpu : public driver_cpu
{
  public:
    // copies: through the device's DMA engine; thinks: before the end, in a thread.
    platform_cpu(sc_core::sc_module_name name, const settings &how, const std::string &kernels, platform_memory &memory,
                 bool copies, std::chrono::milliseconds thinks, unsigned int &running)
        : driver_cpu(name, how, kernels.c_str(), 0), memory(memory), copies(copies), thinks(thinks), running(running)
    {
        running++;
    }

  private:
    platform_memory &memory;
    const bool copies;
    const std::chrono::milliseconds thinks;
    late_thought thought;
    unsigned int &running; // CPUs whose program is not over; the last one stops the simulation

    void copy(std::uint32_t sum, std::uint32_t bytes);
    void more(std::uint32_t sum, std::uint32_t bytes) override;
    void end(bool is_good, const char *why) override;
};

#endif
