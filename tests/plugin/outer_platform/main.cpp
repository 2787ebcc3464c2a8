// SPDX-License-Identifier: MIT
// outer_platform MACHINE KERNELS [word...]: a design in which each of some CPUs has a machine of Heddle as its device.
//
//   devices=N    so many of them (default 1)      quantum=NS  of the CPUs and of everybody (default 1000)
//   ahead=NS     of everybody, if another one     slice=NS    sc_start in slices of so much
//   stats=FILE   the results of the first one     copies      through the DMA engine, to the memory of the design
//   deaf         that memory never answers        quiet       without a clock of its own
//   thinks=MS    each CPU, once, in real time
//   through      that memory is reached through the bus of one more machine
//   set=P=V      a value of the machines
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "heddle_module.h"
#include "platform_cpu.h"
#include "platform_memory.h"

struct wishes {
    heddle::module_settings machine;
    unsigned int devices = 1;
    double quantum = 1000, ahead = -1, slice = 0;
    std::chrono::milliseconds thinks{};
    bool copies = false, is_through = false, is_deaf = false, is_quiet = false;
};

static wishes read_words(int count, char **words)
{
    wishes read;
    read.machine.machine = words[1];
    read.machine.kernels = {words[2]};
    read.machine.set = {"cpu.type=outside"};
    for (int i = 3; i < count; i++) {
        const std::string word = words[i], key = word.substr(0, word.find('=')),
                          value = word.substr(word.find('=') + 1);
        if (key == "devices")
            read.devices = static_cast<unsigned int>(std::atoi(value.c_str()));
        else if (key == "quantum")
            read.quantum = std::atof(value.c_str());
        else if (key == "ahead")
            read.ahead = std::atof(value.c_str());
        else if (key == "slice")
            read.slice = std::atof(value.c_str());
        else if (key == "thinks")
            read.thinks = std::chrono::milliseconds(std::atoi(value.c_str()));
        else if (key == "stats")
            read.machine.stats = value;
        else if (key == "set")
            read.machine.set.push_back(value);
        else
            (key == "copies"    ? read.copies
             : key == "through" ? read.is_through
             : key == "deaf"    ? read.is_deaf
                                : read.is_quiet) = true;
    }
    return read;
}

// A device with its CPU and the memory that both share.
struct node {
    sc_core::sc_signal<bool> interrupt, timer_interrupt;
    platform_memory memory;
    heddle::module gpu;
    std::unique_ptr<heddle::module> between; // the device and the memory, or nullptr
    platform_cpu cpu;

    node(unsigned int number, const wishes &how, const heddle::module_settings &machine, unsigned int &running)
        : interrupt(("interrupt_" + std::to_string(number)).c_str()),
          timer_interrupt(("timer_" + std::to_string(number)).c_str()),
          memory(("memory_" + std::to_string(number)).c_str(), how.is_deaf),
          gpu(("gpu_" + std::to_string(number)).c_str(), machine),
          cpu(("cpu_" + std::to_string(number)).c_str(),
              {sc_core::sc_time(how.quantum, sc_core::SC_NS), sc_core::sc_time(1, sc_core::SC_NS), true},
              machine.kernels[0], memory, how.copies, how.thinks, running)
    {
        cpu.bus.bind(gpu.host);
        if (how.is_through) {
            heddle::module_settings other = machine;
            other.stats.clear();
            between = std::make_unique<heddle::module>(("between_" + std::to_string(number)).c_str(), other);
            gpu.memory.bind(between->host);
            between->memory.bind(memory.socket);
        } else {
            gpu.memory.bind(memory.socket);
        }
        gpu.interrupt.bind(interrupt);
        gpu.timer_interrupt.bind(timer_interrupt);
        cpu.external_interrupt.bind(interrupt);
        cpu.timer_interrupt.bind(timer_interrupt);
    }
};

static void simulate(double slice)
{
    if (slice == 0)
        sc_core::sc_start();
    while (slice > 0 && sc_core::sc_get_status() != sc_core::SC_STOPPED)
        sc_core::sc_start(sc_core::sc_time(slice, sc_core::SC_NS));
}

int sc_main(int count, char **words)
{
    if (count < 3) {
        std::cerr << "outer_platform MACHINE KERNELS [word...]\n";
        return 2;
    }
    const wishes how = read_words(count, words);
    const double ahead = how.ahead < 0 ? how.quantum : how.ahead;
    tlm::tlm_global_quantum::instance().set(sc_core::sc_time(ahead, sc_core::SC_NS));
    std::unique_ptr<sc_core::sc_clock> clock;
    if (!how.is_quiet)
        clock = std::make_unique<sc_core::sc_clock>("clock", sc_core::sc_time(13, sc_core::SC_NS));
    std::vector<std::unique_ptr<node>> nodes;
    unsigned int running = 0;
    try {
        for (unsigned int i = 0; i < how.devices; i++) {
            heddle::module_settings machine = how.machine;
            if (i)
                machine.stats.clear();
            nodes.push_back(std::make_unique<node>(i, how, machine, running));
        }
        SC_REPORT_INFO("platform", "the platform is built");
        SC_REPORT_WARNING("platform", "it is an example");
        simulate(how.slice);
    } catch (const sc_core::sc_report &report) {
        std::cerr << report.what() << '\n';
        return 1;
    }
    if (running) {
        std::cerr << "nothing moves any more, and " << running << " CPUs are not done\n";
        if (sc_core::sc_get_status() != sc_core::SC_STOPPED)
            sc_core::sc_stop();
    }
    return running ? 1 : 0;
}
