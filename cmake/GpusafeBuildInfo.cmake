# Writes OUT, a header that names the commit of ROOT, when that changed:
# cmake -DROOT=<source> -DOUT=<file.h> -P GpusafeBuildInfo.cmake. Without git: the empty name.
execute_process(COMMAND git -C ${ROOT} describe --always --dirty --abbrev=10
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                RESULT_VARIABLE result)
if(result OR NOT EXISTS ${ROOT}/.git)
  set(commit "")
endif()
set(text "// Made by cmake/GpusafeBuildInfo.cmake.\n#define GPUSAFE_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT text STREQUAL old)
  file(WRITE ${OUT} "${text}")
endif()
