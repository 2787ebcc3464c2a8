# SPDX-License-Identifier: MIT
# Units that the core is put together from, chosen by parameter.
set(SIMT_CORE_UNIT_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/reconvergence/mimd.c
  ${CMAKE_CURRENT_LIST_DIR}/reconvergence/stack.c
  ${CMAKE_CURRENT_LIST_DIR}/scheduler/gto.c
  ${CMAKE_CURRENT_LIST_DIR}/scheduler/lrr.c)
