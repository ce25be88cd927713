# Makes a C file of text files, for programs that carry them.
#   cmake -DOUT=page.c -DNAMES=a;b -DFILES=a.html;b.css -P GpusafePage.cmake
# Each becomes `const char NAME[]`, as numbers: C promises string literals of 4095 bytes only.
set(text "// Made by cmake/GpusafePage.cmake; do not edit.\n#include \"page.h\"\n")
list(LENGTH NAMES count)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  list(GET NAMES ${i} name)
  list(GET FILES ${i} file)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "(char)0x\\1," bytes "${hex}")
  string(APPEND text "const char ${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
