# SPDX-License-Identifier: MIT
# What `cmake --install` puts where; all paths below the prefix, so that the installed tree can be moved.
#
#   bin/heddle  lib/libheddle.so  lib/libheddle_systemc.so  lib/libheddle_opencl.so  lib/libheddle_cuda.so  lib/libheddle_host.a  lib/libheddle_test_kit.a  lib/heddle/plugins/  libexec/heddle/apps/NAME/
#   libexec/heddle/programs/   programs of processors that are no GPU
#   include/heddle/            heddle.h (embedding), headers of blocks and plug-ins; isa/, kit/, firmware/ (apps)
#   share/heddle/              configs/, templates/, firmware/    lib/cmake/heddle/  lib/pkgconfig/
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(include_folder ${CMAKE_INSTALL_INCLUDEDIR}/heddle)
set(data_folder ${CMAKE_INSTALL_DATADIR}/heddle)
set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)

# ---- The program ---------------------------------------------------------------------------------------------------
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(heddle PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
set_target_properties(heddle_command PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
install(TARGETS heddle heddle_systemc heddle_command
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY DESTINATION ${CMAKE_INSTALL_LIBDIR}/heddle/plugins)
if(HEDDLE_APPS)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/apps/ DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/heddle/apps)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/programs DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/heddle FILES_MATCHING PATTERN *.elf)
  install(TARGETS heddle_embedded_host ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${CMAKE_BINARY_DIR}/lib/libheddle_firmware.a DESTINATION ${data_folder}/firmware)
endif()

if(TARGET heddle_cuda)
  install(TARGETS heddle_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET heddle_opencl)
  install(TARGETS heddle_opencl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  # For whoever links it into /etc/OpenCL/vendors: a name that the dynamic linker finds.
  file(WRITE ${CMAKE_BINARY_DIR}/package/heddle.icd "libheddle_opencl.so.${PROJECT_VERSION_MAJOR}\n")
  install(FILES ${CMAKE_BINARY_DIR}/package/heddle.icd DESTINATION ${data_folder}/opencl)
endif()

# ---- The Python package, for PYTHONPATH; a wheel has it too (platform/python) ---------------------------------------
install(DIRECTORY platform/python/heddle DESTINATION ${data_folder}/python FILES_MATCHING PATTERN *.py PATTERN py.typed)

# ---- Headers -------------------------------------------------------------------------------------------------------
install(DIRECTORY models/abi/ DESTINATION ${include_folder} FILES_MATCHING PATTERN *.h)
install(FILES platform/include/heddle.h platform/include/heddle_errors.h platform/tlm/heddle_systemc.h platform/tlm/guest/heddle_module.h
  models/remote_port/heddle_remote.h DESTINATION ${include_folder})
# Interfaces of units, by kind.
install(FILES
  models/simt_core/scheduler/scheduler.h models/simt_core/reconvergence/reconvergence.h
  models/simt_core/spin/spin.h models/simt_core/back_off/back_off.h
  models/simt_core/scoreboard/scoreboard.h models/simt_core/scoreboard/pending_registers.h
  models/simt_core/common/path.h models/simt_core/common/path_event.h models/simt_core/common/byte_stream.h models/simt_core/common/paths_of.h
  models/simt_core/common/lane_homes.h models/simt_core/common/bits.h models/simt_core/common/counting.h
  models/simt_core/ticket.h models/cache/replacement/replacement.h models/tb_scheduler/policy/thread_block_policy.h
  DESTINATION ${include_folder}/units)
install(FILES
  models/simt_core/tx/protocol.h models/simt_core/tx/tx_core.h models/simt_core/tx/parameters.h models/simt_core/tx/log.h
  models/simt_core/tx/back_off.h models/simt_core/tx/intra_warp.h
  DESTINATION ${include_folder}/units/tx)
install(FILES models/simt_core/memory/access.h DESTINATION ${include_folder}/units/memory)
install(DIRECTORY models/isa/ DESTINATION ${include_folder}/isa FILES_MATCHING PATTERN *.h PATTERN *.def)
install(DIRECTORY firmware/include/ DESTINATION ${include_folder}/firmware FILES_MATCHING PATTERN *.h)
install(DIRECTORY firmware/apps/common DESTINATION ${include_folder}/firmware FILES_MATCHING PATTERN *.h)

# ---- The test kit, with the parts of the platform that it stands on --------------------------------------------------
if(NOT TARGET heddle_test_kit)
  add_subdirectory(tests/kit)
endif()
install(FILES tests/kit/kit.h tests/kit/kit_random.h DESTINATION ${include_folder}/kit)
add_library(heddle_test_kit_whole STATIC
  $<TARGET_OBJECTS:heddle_test_kit> $<TARGET_OBJECTS:heddle_engine> $<TARGET_OBJECTS:heddle_declaration> $<TARGET_OBJECTS:heddle_units>
  platform/text/arena.c platform/text/text_value.c platform/text/utf8.c)
target_link_libraries(heddle_test_kit_whole PRIVATE heddle_abi heddle_flags)
set_target_properties(heddle_test_kit_whole PROPERTIES
  OUTPUT_NAME heddle_test_kit ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
install(TARGETS heddle_test_kit_whole ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# ---- Clients of remote ports ------------------------------------------------------------------------------------------
install(FILES models/remote_port/heddle_remote.c models/remote_port/heddle_remote.py DESTINATION ${data_folder}/remote)

# ---- Data ------------------------------------------------------------------------------------------------------------
install(DIRECTORY configs DESTINATION ${data_folder})
install(DIRECTORY share/templates DESTINATION ${data_folder})
install(DIRECTORY share/report DESTINATION ${data_folder} FILES_MATCHING
  PATTERN *.html PATTERN *.css PATTERN *.js PATTERN *.mjs PATTERN node_modules EXCLUDE)
# Of the packages of npm what a page inserts and a picture is made with. Without them everything else can be built and used.
file(STRINGS share/report/page.html package_files REGEX node_modules/)
list(TRANSFORM package_files REPLACE "<!-- insert [a-z]+ (.*) -->" "\\1")
foreach(file IN LISTS package_files ITEMS node_modules/linkedom/worker.js node_modules/linkedom/LICENSE)
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES share/report/${file} DESTINATION ${data_folder}/report/${folder} OPTIONAL)
endforeach()
install(FILES firmware/runtime/kernel.options firmware/runtime/kernel_clang.options firmware/runtime/kernel.ld firmware/runtime/rv64/firmware.ld firmware/runtime/rv64/start.S
  DESTINATION ${data_folder}/firmware)
install(FILES firmware/runtime/assembler/entries.awk DESTINATION ${data_folder}/firmware/assembler)
install(PROGRAMS firmware/runtime/assembler/as DESTINATION ${data_folder}/firmware/assembler)
install(PROGRAMS firmware/runtime/check_kernel.sh firmware/apps/check_app.sh DESTINATION ${data_folder}/firmware)
install(FILES LICENSE THIRD_PARTY DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The command finds the same beside itself in the build folder.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/heddle)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/configs ${CMAKE_BINARY_DIR}/share/heddle/configs SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/share/report ${CMAKE_BINARY_DIR}/share/heddle/report SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/share/templates ${CMAKE_BINARY_DIR}/share/heddle/templates SYMBOLIC)

# ---- Packages ----------------------------------------------------------------------------------------------------------
configure_package_config_file(cmake/heddle-config.cmake.in ${CMAKE_BINARY_DIR}/package/heddle-config.cmake
  INSTALL_DESTINATION ${cmake_folder}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/heddle-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/package/heddle-config.cmake ${CMAKE_BINARY_DIR}/package/heddle-config-version.cmake
  cmake/heddle_plugins.cmake cmake/heddle_plugin.map cmake/heddle_systemc.map cmake/heddle_apps.cmake
  DESTINATION ${cmake_folder})

file(RELATIVE_PATH HEDDLE_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(package heddle heddle-test-kit)
  configure_file(cmake/${package}.pc.in ${CMAKE_BINARY_DIR}/package/${package}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/package/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
