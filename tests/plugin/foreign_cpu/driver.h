// SPDX-License-Identifier: MIT
// What runs on the CPU: a driver of the device, as its author writes it from the register descriptions (hd_queue.h), and a
// program that adds two vectors with it.
#ifndef DRIVER_H
#define DRIVER_H

#include <string>
#include <vector>

#include "loose_cpu.h"

class driver_cpu : public loose_cpu
{
  public:
    // kernels: file of the kernel program, kernel.elf of the app `vecadd`.
    // doorbell: address of a peripheral (doorbell.h) whose interrupt is the first of source[1] of the controller; 0: there is none.
    driver_cpu(sc_core::sc_module_name name, const settings &how, const char *kernels, std::uint64_t doorbell)
        : loose_cpu(name, how), kernels(kernels), doorbell(doorbell)
    {
    }

  protected:
    // The program is over. It does not return.
    virtual void end(bool is_good, const char *why);
    // Device memory, and a descriptor of the queue: with its mark it is executed, and the CPU waits for its completion.
    std::uint32_t allocate(std::uint32_t bytes);
    void read_all(std::uint64_t address, void *into, std::uint64_t bytes);
    void execute(const void *descriptor);
    // After the kernel, before the end: where its result is.
    virtual void more(std::uint32_t sum, std::uint32_t bytes)
    {
        (void)sum, (void)bytes;
    }

  private:
    std::uint32_t executed = 0; // descriptors
    const std::string kernels;
    const std::uint64_t doorbell;
    std::uint32_t free_address = 0; // behind the kernel program

    void program() override;
    void find_device();
    std::uint32_t load_kernels(const char *kernel);
    void set_up_queue();
    void set_up_interrupts();
    void launch(std::uint32_t entry, const std::vector<std::uint32_t> &arguments, std::uint32_t blocks);
    void wait_for_completion();
    void ring_twice();
    void write_all(std::uint64_t address, const void *from, std::uint64_t bytes);
    void check_debug_access(std::uint32_t sum, const std::vector<float> &expected);
    void print_text(const char *text);
    void report(const char *name, std::uint64_t value);

    std::uint32_t ring = 0, completion = 0, argument_block = 0;
};

#endif
