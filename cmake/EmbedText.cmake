# A file as a C array: cmake -DINPUT=file -DOUTPUT=file.c -DNAME=array -P EmbedText.cmake.
# As numbers, because C bounds the length of string literals; a line of C for each line.
set(bytes "")
if(INPUT)
  file(READ ${INPUT} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REPLACE "0x0a," "0x0a,\n" bytes "${bytes}")
endif()
file(WRITE ${OUTPUT}
     "// Made by cmake/EmbedText.cmake.\nextern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0};\n")
