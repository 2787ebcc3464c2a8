# SPDX-License-Identifier: MIT
# Every outside library, found once, with the name of its Debian package if it is missing. docs/dependencies.md says why.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

function(heddle_require prefix module package)
  pkg_check_modules(${prefix} IMPORTED_TARGET GLOBAL ${module})
  if(NOT ${prefix}_FOUND)
    message(FATAL_ERROR "${module} not found; Debian package: ${package}")
  endif()
endfunction()

heddle_require(SYSTEMC systemc libsystemc-dev)
heddle_require(YAML yaml-0.1 libyaml-dev)
heddle_require(JANSSON jansson libjansson-dev)
heddle_require(SQLITE sqlite3 libsqlite3-dev)
if(HEDDLE_TESTS)
  heddle_require(CRITERION criterion libcriterion-dev)
  heddle_require(UNICORN unicorn libunicorn-dev)
endif()
if(HEDDLE_APPS)
  find_program(HEDDLE_RISCV_GCC riscv64-unknown-elf-gcc)
  if(NOT HEDDLE_RISCV_GCC)
    message(FATAL_ERROR "riscv64-unknown-elf-gcc not found; Debian package: gcc-riscv64-unknown-elf")
  endif()
  execute_process(COMMAND ${HEDDLE_RISCV_GCC} --specs=picolibc.specs -print-libgcc-file-name
    RESULT_VARIABLE no_picolibc OUTPUT_QUIET ERROR_QUIET)
  if(no_picolibc)
    message(FATAL_ERROR "picolibc for ${HEDDLE_RISCV_GCC} not found; Debian package: picolibc-riscv64-unknown-elf")
  endif()
endif()
