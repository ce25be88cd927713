# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(gpusafe): finds the command and the annotations, and gives
#
#   gpusafe::annotations            target with the folder of <gpusafe.h>
#   gpusafe::plugin                 target whose CUDA sources clang compiles with the plugin
#   gpusafe::cuda                   target with the runtime that checks launches, in front of CUDA's
#   gpusafe::rt                     target with the runtime alone, for the driver's interface
#   gpusafe_check(<target> ...)     analyses the CUDA sources of a target
#
#   gpusafe_check(<target> [VERIFY] [STRICT] [TEST] [BASELINE <file>] [SUPPRESSIONS <file>]
#                 [FAIL_ON <severity>...] [ARCH <sm_XX>...] [OPTIONS <option>...])
#
# makes a target `gpusafe-<target>`, which writes gpusafe-<target>.html, .sarif and .json into
# the target's build folder and fails on what FAIL_ON names; `gpusafe` does all of them. TEST adds a
# test of that name as well. Nothing has to be compiled for it: the commands are read from
# compile_commands.json, so the generator must be Ninja or Makefiles.
#
# This file lies in lib/cmake/gpusafe of a build tree or of an installation.
get_filename_component(_gpusafe_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(GPUSAFE_EXECUTABLE gpusafe HINTS "${_gpusafe_root}/bin" NO_DEFAULT_PATH)
find_path(GPUSAFE_INCLUDE_DIR gpusafe.h HINTS "${_gpusafe_root}/include" NO_DEFAULT_PATH)
mark_as_advanced(GPUSAFE_EXECUTABLE GPUSAFE_INCLUDE_DIR)
if(NOT GPUSAFE_EXECUTABLE OR NOT GPUSAFE_INCLUDE_DIR)
  set(gpusafe_FOUND FALSE)
  set(gpusafe_NOT_FOUND_MESSAGE "no bin/gpusafe or include/gpusafe.h in ${_gpusafe_root}")
  return()
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT TARGET gpusafe::annotations)
  add_library(gpusafe::annotations INTERFACE IMPORTED)
  set_target_properties(gpusafe::annotations PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${GPUSAFE_INCLUDE_DIR}")
endif()

find_library(GPUSAFE_PLUGIN NAMES libgpusafe.so HINTS ${_gpusafe_root} NO_DEFAULT_PATH
             PATH_SUFFIXES ${CMAKE_INSTALL_LIBDIR} lib lib64 lib/${CMAKE_LIBRARY_ARCHITECTURE})
find_library(GPUSAFE_RT_LIBRARY NAMES libgpusafe_rt.a HINTS ${_gpusafe_root} NO_DEFAULT_PATH
             PATH_SUFFIXES ${CMAKE_INSTALL_LIBDIR} lib lib64 lib/${CMAKE_LIBRARY_ARCHITECTURE} runtime)
find_library(GPUSAFE_CUDA_LIBRARY NAMES libgpusafe_cuda.a HINTS ${_gpusafe_root} NO_DEFAULT_PATH
             PATH_SUFFIXES ${CMAKE_INSTALL_LIBDIR} lib lib64 lib/${CMAKE_LIBRARY_ARCHITECTURE} runtime)
mark_as_advanced(GPUSAFE_PLUGIN GPUSAFE_RT_LIBRARY GPUSAFE_CUDA_LIBRARY)
if(GPUSAFE_PLUGIN AND NOT TARGET gpusafe::plugin)
  add_library(gpusafe::plugin INTERFACE IMPORTED)
  set_target_properties(gpusafe::plugin PROPERTIES
    INTERFACE_LINK_LIBRARIES gpusafe::annotations
    INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANG_AND_ID:CUDA,Clang>:-fplugin=${GPUSAFE_PLUGIN}>")
endif()
if(GPUSAFE_RT_LIBRARY AND NOT TARGET gpusafe::rt)
  find_package(Threads REQUIRED)
  add_library(gpusafe::rt STATIC IMPORTED)
  set_target_properties(gpusafe::rt PROPERTIES IMPORTED_LOCATION "${GPUSAFE_RT_LIBRARY}"
    INTERFACE_LINK_LIBRARIES "gpusafe::annotations;Threads::Threads;${CMAKE_DL_LIBS}")
endif()
if(GPUSAFE_CUDA_LIBRARY AND TARGET gpusafe::rt AND NOT TARGET gpusafe::cuda)
  add_library(gpusafe::cuda STATIC IMPORTED)
  set_target_properties(gpusafe::cuda PROPERTIES IMPORTED_LOCATION "${GPUSAFE_CUDA_LIBRARY}"
    INTERFACE_LINK_LIBRARIES gpusafe::rt)
endif()

# Options of `gpusafe scan` from the arguments of gpusafe_check.
function(_gpusafe_options out)
  cmake_parse_arguments(arg "VERIFY;STRICT;TEST" "BASELINE;SUPPRESSIONS"
                        "FAIL_ON;ARCH;OPTIONS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gpusafe_check: unknown argument '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  set(options ${arg_OPTIONS})
  foreach(name VERIFY STRICT)
    if(arg_${name})
      string(TOLOWER "--${name}" option)
      list(APPEND options ${option})
    endif()
  endforeach()
  foreach(name BASELINE SUPPRESSIONS)
    if(arg_${name})
      string(TOLOWER "--${name}" option)
      get_filename_component(path "${arg_${name}}" ABSOLUTE)
      list(APPEND options "${option}=${path}")
    endif()
  endforeach()
  if(arg_FAIL_ON)
    list(JOIN arg_FAIL_ON "," words)
    list(APPEND options "--fail-on=${words}")
  endif()
  if(arg_ARCH)
    list(JOIN arg_ARCH "," words)
    list(APPEND options "--arch=${words}")
  endif()
  set(${out} ${options} PARENT_SCOPE)
endfunction()

# The CUDA sources of a target, as `--only` names them: relative to the source folder.
function(_gpusafe_sources target out)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(only)
  foreach(source ${sources})
    get_source_file_property(language "${source}" TARGET_DIRECTORY ${target} LANGUAGE)
    if(NOT source MATCHES "\\.cu$" AND NOT language STREQUAL "CUDA")
      continue()
    endif()
    get_filename_component(path "${source}" REALPATH BASE_DIR "${folder}")
    get_filename_component(root "${CMAKE_SOURCE_DIR}" REALPATH)
    file(RELATIVE_PATH relative "${root}" "${path}")
    if(relative MATCHES "^\\.\\./")
      set(relative "${path}")
    endif()
    list(APPEND only "--only=${relative}")
  endforeach()
  set(${out} ${only} PARENT_SCOPE)
endfunction()

function(gpusafe_check target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "gpusafe_check: '${target}' is no target")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "gpusafe_check needs compile_commands.json: use Ninja or Makefiles")
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
  _gpusafe_options(options ${ARGN})
  _gpusafe_sources(${target} only)
  if(NOT only)
    message(FATAL_ERROR "gpusafe_check: '${target}' has no CUDA sources")
  endif()
  set(report "${CMAKE_CURRENT_BINARY_DIR}/gpusafe-${target}")
  set(command "${GPUSAFE_EXECUTABLE}" scan -p "${CMAKE_BINARY_DIR}" "--root=${CMAKE_SOURCE_DIR}"
      "--html=${report}.html" "--sarif=${report}.sarif" "--json=${report}.json" ${only} ${options})
  add_custom_target(gpusafe-${target} COMMAND ${command} USES_TERMINAL VERBATIM
                    COMMENT "Analysing ${target}")
  if(NOT TARGET gpusafe)
    add_custom_target(gpusafe)
  endif()
  add_dependencies(gpusafe gpusafe-${target})
  if("TEST" IN_LIST ARGN)
    add_test(NAME gpusafe-${target} COMMAND ${command})
  endif()
endfunction()
