# Finds LLVM of GPUSAFE_LLVM_VERSION through its llvm-config. Sets
#   GPUSAFE_LLVM_CONFIG       the program
#   GPUSAFE_LLVM              the shared library, the same that clang uses
#   GPUSAFE_LLVM_INCLUDE      folder of llvm-c/
#   GPUSAFE_LLVM_TOOLS        folder of clang, lit and FileCheck
find_program(GPUSAFE_LLVM_CONFIG NAMES llvm-config-${GPUSAFE_LLVM_VERSION} llvm-config REQUIRED)
function(gpusafe_llvm_config what out)
  execute_process(COMMAND ${GPUSAFE_LLVM_CONFIG} --${what} OUTPUT_VARIABLE text
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${out} ${text} PARENT_SCOPE)
endfunction()
gpusafe_llvm_config(version found)
if(NOT found MATCHES "^${GPUSAFE_LLVM_VERSION}\\.")
  message(FATAL_ERROR "${GPUSAFE_LLVM_CONFIG} is LLVM ${found}; "
                      "GPUSAFE_LLVM_VERSION asks for ${GPUSAFE_LLVM_VERSION}")
endif()
gpusafe_llvm_config(includedir GPUSAFE_LLVM_INCLUDE)
gpusafe_llvm_config(bindir GPUSAFE_LLVM_TOOLS)
gpusafe_llvm_config(libdir directory)
find_library(GPUSAFE_LLVM NAMES LLVM LLVM-${GPUSAFE_LLVM_VERSION} PATHS ${directory}
             NO_DEFAULT_PATH REQUIRED)
