// SPDX-License-Identifier: MIT
// One process that advances all machines that are parts of one SystemC design. Like that of a machine that has a context of its own it acts
// when everybody else has done what is to be done at a time; a process for each machine would wait for the others in turns for ever.
#ifndef HD_TLM_CONDUCTOR_H
#define HD_TLM_CONDUCTOR_H

#include <memory>
#include <systemc>
#include <vector>

#include "engine.h"

namespace heddle
{

class machine_module;

class conductor : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(conductor);
    explicit conductor(sc_core::sc_module_name name);

    // That of the current context, made in its top level; it lives as long as somebody holds it.
    static std::shared_ptr<conductor> current();
    void add(machine_module &machine);
    void remove(machine_module &machine);

  private:
    std::vector<machine_module *> machines;
    sc_core::sc_event_or_list delivered; // of any machine: it outlives each wait

    void run();
    bool others_wait();
    hd_time advance(hd_time limit);
    void sleep(hd_time due);
};

} // namespace heddle

#endif
