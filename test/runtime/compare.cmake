# Runs a program and compares what it writes with a file. Addresses become 0x….
execute_process(COMMAND ${PROGRAM} ${ARGUMENT} RESULT_VARIABLE result
                OUTPUT_VARIABLE text ERROR_VARIABLE text)
string(REGEX REPLACE "0x[0-9a-f]+" "0x…" text "${text}")
file(READ ${EXPECTED} expected)
if(NOT result EQUAL 0 OR NOT text STREQUAL expected)
  message(FATAL_ERROR "exit ${result}, wrote:\n${text}\nexpected:\n${expected}")
endif()
