# Puts the pages of the rules into C, so that the command has them wherever it is
# installed. cmake -DROOT=<source> -DOUT=<file.c> -P GpusafePages.cmake
cmake_policy(VERSION 3.25)
set(text "// Made from checkers/rules/*.md by cmake/GpusafePages.cmake.\n#include \"pages.h\"\n\n")
file(STRINGS ${ROOT}/checkers/rules.def rows REGEX "^ *GS_RULE\\(")
set(table "const gs_page gs_pages[] = {\n")
foreach(row IN LISTS rows)
  string(REGEX MATCH "^ *GS_RULE\\(([A-Z_]+), \"([a-z-]+)\"" found "${row}")
  set(id ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  # Bytes as numbers: no character of a page means anything to CMake or to C.
  file(READ ${ROOT}/checkers/rules/${name}.md bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND text "static const unsigned char page_${id}[] = {\n${bytes}0};\n\n")
  string(APPEND table "    {\"${name}\", page_${id}, sizeof page_${id} - 1},\n")
endforeach()
string(APPEND text "${table}};\nconst size_t gs_page_count = sizeof gs_pages / sizeof *gs_pages;\n")
file(WRITE ${OUT} "${text}")
