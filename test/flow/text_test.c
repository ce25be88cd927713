// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parser of the text form: what it refuses, with line and column, and that what it
/// takes prints as the same bytes again.
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/// Parses a kernel with these lines, the first of which is line 3.
static gs_status parse(const char *lines, gs_text **out, gs_text_error *error) {
  char text[4000];
  int n = snprintf(text, sizeof text, "gpusafe_text 1\nkernel \"k\"\n%s\nend\n", lines);
  return gs_text_parse(text, (size_t)n, out, error);
}

static void refused(const char *lines, const char *expected) {
  gs_text *text = NULL;
  gs_text_error error;
  char got[300] = "no error";
  gs_status status = parse(lines, &text, &error);
  if (status == GS_ERROR_INPUT)
    snprintf(got, sizeof got, "%u:%u: %s", error.line, error.column, error.message);
  gs_text_free(text);
  if (status == GS_ERROR_INPUT && strcmp(got, expected) == 0)
    return;
  failures++;
  printf("%s\n  expected %s\n  got      %s\n", lines, expected, got);
}

static char *print_all(const gs_text *text) {
  gs_program *kernels[4] = {0};
  uint32_t n = gs_text_kernel_count(text);
  for (uint32_t i = 0; i < n && i < 4; i++)
    kernels[i] = gs_text_kernel(text, i);
  return gs_text_print(kernels, n < 4 ? n : 4, gs_text_target(text), gs_text_is_optimised(text));
}

static void taken(const char *lines) {
  gs_text *text = NULL, *again = NULL;
  gs_text_error error;
  char *first = NULL, *second = NULL;
  if (parse(lines, &text, &error) == GS_OK)
    first = print_all(text);
  if (first && gs_text_parse(first, strlen(first), &again, &error) == GS_OK)
    second = print_all(again);
  if (!second || strcmp(first, second) != 0) {
    failures++;
    printf("%s\n  line %u, column %u: %s\n%s%s", lines, error.line, error.column, error.message,
           first ? first : "", second ? second : "");
  }
  free(first);
  free(second);
  gs_text_free(text);
  gs_text_free(again);
}

static void words(void) {
  refused("blok 0", "3:1: no statement begins like this");
  refused("object 0 shard \"s\"", "3:10: the kind of object is missing, as in 'param'");
  refused("object 0 shared \"s", "3:17: the string does not end");
  refused("object 0 shared \"\\n\"", "3:17: strings know the escapes \\\" \\\\ and \\x01 to \\xFF");
  refused("object 0 shared \"\\x00\"", "3:17: strings know the escapes \\\" \\\\ and \\x01 to \\xFF");
  refused("object 1 shared \"s\"", "3:8: the next object has the number 0");
  refused("object 0 shared none size -1", "3:27: a size is at most 18446744073709551615");
  refused("object 0 shared none size 18446744073709551616",
          "3:27: the number does not fit 64 bits");
  refused("object 0 shared none size 12x", "3:27: not a number");
  refused("object 0 shared none written 4", "3:30: the line should end here");
  refused("object 0 shared none written large", "3:30: 'large' does not belong here");
  refused("axes block.w", "3:6: an axis is missing, as in 'block.x'");
  refused("fences ?", "3:8: no such character here");
  refused("place @2 at \"f\":1:1", "3:7: the next place is @1");
  refused("place @1 at \"f\":1:1 in @1", "3:24: there is no place @1 yet");
  refused("gap none", "3:9: a gap has a text");
  refused("param \"n\" \"int\" int 4", "3:1: 'name' comes before everything else about the source");
  refused("name \"k\"\nname \"k\"", "4:6: the kernel has a name already");
}

static void terms(void) {
  refused("%x = (add %y 1:32)", "3:11: no term has the name %y yet");
  refused("%x = 1:32\n%x = 2:32", "4:1: %x is defined twice");
  refused("%x = (add 1:32 1:64)", "3:7: the operands do not fit 'add'");
  refused("%x = (add 1:32)", "3:15: '(' is missing");
  refused("%x = (add 1:32 1:32 1:32)", "3:21: ')' is missing");
  refused("%x = (slt 1:32 1:32 nsw)", "3:7: the operands do not fit 'slt'");
  refused("%x = (ite 1:32 1:32 1:32)", "3:7: the operands do not fit 'ite'");
  refused("%x = (zext 32 1:32)", "3:7: the operands do not fit 'zext'");
  refused("%x = (trunc 64 1:32)", "3:7: the operands do not fit 'trunc'");
  refused("%x = (load 65 1:64)", "3:12: a width in bits is at most 64");
  refused("%x = (load 32 1:32)", "3:7: the operands do not fit 'load'");
  refused("%x = (const 32)", "3:7: the operands do not fit 'const'");
  refused("%x = (add 1:32 1:32 !3)", "3:21: there is no origin !3 yet");
  refused("%x = 4:2", "3:6: the number does not fit 2 bits");
  refused("%x = -3:2", "3:6: the number does not fit 2 bits");
  refused("%x = 0:0", "3:9: a width is 1 to 64 bits");
  refused("%x = none", "3:6: '(' is missing");
  refused("%x = sym tid 0 thread u32", "3:26: the symbols of the launch are there already");
  refused("%x = sym opaque thread u32 \"x\"", "3:31: an opaque symbol says why: 'because' is missing");
  refused("%x = sym opaque thread u65", "3:24: a type is missing, u1 to u64 or s1 to s64");
  refused("%x = sym opaque thread u8 [0, 256]", "3:31: the upper bound is at most 255");
  refused("%x = sym opaque thread u8 [5, 4]", "3:32: the range is empty");
  refused("%x = sym param 0 thread u8", "3:27: parameters and trip numbers have the level grid");
  refused("%x = sym loop 0 grid u64", "3:25: a trip number belongs to its loop: 'in 0' is missing");
  refused("%x = sym base 0 grid u64 address", "2:1: symbol '?' is the base of no object 0");
  refused("%x = sym opaque grid u8 copy 2 of %x because \"\"", "3:32: copies are numbered from 3");
  refused("%x = sym opaque grid u8 in 0 because \"\"", "2:1: symbol '?' is in no loop 0");
  char deep[600] = "%x = ";
  for (int i = 0; i < 70; i++)
    strcat(deep, "(ctlz ");
  refused(deep, "3:384: brackets are nested too deeply; give the inner term a name");
}

static void flow(void) {
  refused("access 0 read 4", "3:10: accesses and barriers follow their block");
  refused("block 0\nto 0 + 0:64", "4:4: a target follows its access");
  refused("block 0\naccess 0 read 4\nto 0 + 0:64", "5:4: there is no object 0 yet");
  refused("object 0 shared none\nblock 0\naccess 0 read 4\nto 0 + 0:32",
          "6:8: a term of 64 bits is needed here");
  refused("block 0\naccess 1 read 4", "2:1: the numbers of accesses are not 0 to 0, once each");
  refused("block 0\nbarrier 0 block\nbarrier 0 block",
          "2:1: the numbers of barriers are not 0 to 1, once each");
  refused("block 0 if 1:32", "3:12: a term of 1 bit is needed here");
  refused("block 0 in 0", "2:1: block 0 is in no loop 0");
  refused("block 0 -> 1", "2:1: block 0 is followed by no block 1");
  refused("block 0 on true -> 1\nblock 1", "2:1: block 0 has a condition, but not two ways to go");
  refused("block 0 -> 0", "2:1: the blocks go round without a loop");
  refused("block 0 -> 1\nblock 1 -> 2\nblock 2 -> 1", "2:1: the blocks go round without a loop");
  refused("%k = sym loop 0 grid u64 in 0\nloop 0 header 1 again true trip %k",
          "2:1: loop 0 has no header");
  refused("%k = sym loop 0 grid u64 in 0\nloop 0 header 0 again true trip %k\nblock 0",
          "2:1: the header of loop 0 is in another loop");
  refused("%k = sym loop 0 grid u64 in 0\nloop 0 header 1 trip %k\nblock 0 -> 2\n"
          "block 1 in 0 -> 2\nblock 2 in 0 -> 1",
          "2:1: the edge from block 0 to 2 enters a loop beside its header");
  refused("%k = sym loop 0 grid u64 in 0\nloop 0 in 0 header 0 trip %k",
          "4:11: the loop around another one comes before it");
  refused("loop 0 header 0 trip 0:64", "3:17: the trip is 'sym loop 0'");
  refused("given 0:64 true", "3:7: a fact is about a symbol");
}

static void clauses(void) {
  refused("name \"k\"\nfact contract \"n >= 0\"", "4:15: column 1 of the clause: unknown name 'n'");
  refused("name \"k\"\nfact contract \"n >= 0\" where \"n\" = param 0 +0 s32",
          "4:42: there is no parameter 0");
  refused("name \"k\"\nfact contract none", "4:15: column 1 of the clause: it has no text");
  refused("name \"k\"\nclaim disjoint", "4:15: 'param' is missing");
  refused("name \"k\"\nclaim trusted", "4:14: a trust has a rule and a reason");
  refused("name \"k\"\nfield \"\" +0 int 32", "4:7: a field follows its parameter");
  taken("name \"k<1>\" threads 128 at \"a \\\"b\\\\.cu\":1:2\n"
        "param \"p\" \"const S\" record 16 at none:3:4\n field \"x.y\" +4 int 32 signed\n"
        " field \"d\" +8 pointer 64 elem 4 unsigned\nparam \"q\" \"\" pointer 8 elem 4 signed const restrict\n"
        "claim disjoint param 1 count \"p.x.y * N\" where \"p.x.y\" = param 0 +4 s32, \"N\" = -3\n"
        "claim trusted rule \"data-race\" because \"\\x01\" from \"f\":1:1 to \"f\":2:2\n"
        "claim exclusive param 1 scope warp\n"
        "fact option \"aligned(q, 16)\" where \"q\" = pointer 1 at \"f\":9:9\n");
}

static void whole_files(void) {
  static const char *const texts[] = {"", "gpusafe_text 2\n", "gpusafe_text 1\nkernel \"k\"\n",
                                      "gpusafe_text 1\nkernel none\nend\n",
                                      "gpusafe_text 1 kernel \"k\"\nend\n"};
  static const char *const expected[] = {
      "1:1: the text does not begin with 'gpusafe_text 1'", "1:14: only version 1 is known",
      "3:1: 'end' is missing", "2:12: a kernel has a name", "1:16: 'kernel' does not belong here"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    gs_text *text = NULL;
    gs_text_error e;
    char got[300] = "no error";
    if (gs_text_parse(texts[i], strlen(texts[i]), &text, &e) == GS_ERROR_INPUT)
      snprintf(got, sizeof got, "%u:%u: %s", e.line, e.column, e.message);
    gs_text_free(text);
    failures += strcmp(got, expected[i]) != 0;
    if (strcmp(got, expected[i]) != 0)
      printf("%s\n  expected %s\n  got      %s\n", texts[i], expected[i], got);
  }
}

static void round_trips(void) {
  taken("");
  taken("gap \"nothing was understood\"");
  taken("%x = (add\n %threadIdx.x ; broken in brackets\n 4:32)\nblock 0 exits");
  taken("%1 = sym opaque thread u7 [1, 9] because \"a\"\n%a = sym opaque block s1 \"1\" because \"b\"\n"
        "%b = sym opaque grid u64 \"1\" because \"c\"\n"
        "%c = sym opaque grid u64 copy 7 of %b \"1\" because \"c\"\n"
        "given %b (ult %b 9:64)\ngiven %a %a\ngiven %1 (eq %1 -1:7)\ngiven %c false");
  taken("object 0 local none\nblock 0\naccess 0 write 0 bytes (zext 64 %threadIdx.x) atomic scope warp "
        "volatile opaque value 1:1 const 0xFFFFFFFFFFFFFFFF\nto 0 + 1:64 if none\nbarrier 0 named mask "
        "%threadIdx.x\naccess 1 read 1");
  // Rows of accesses are in the order of the blocks, their numbers need not be.
  taken("block 0 -> 1\naccess 1 read 4\nblock 1 exits traps\naccess 0 write 4");
  // Used once, but not by the next: it keeps its name, and its place in the order.
  taken("%a = (add %threadIdx.x 1:32)\n%b = (mul %threadIdx.x 3:32)\n%c = (sub %b %a)\n"
        "object 0 shared none\nblock 0\naccess 0 read 4\nto 0 + (zext 64 %c)");
}

/// Counts the trips of a loop with that condition, \returns -1 when they are not known.
static long trips_of(const char *again, uint64_t work) {
  char lines[400];
  gs_text *text = NULL;
  gs_text_error error;
  uint64_t trips = 0;
  snprintf(lines, sizeof lines,
           "%%k = sym loop 0 grid u64 in 0\n%%a = %s\nloop 0 header 0 again %%a trip %%k\n"
           "block 0 in 0 -> 0", again);
  long result = -2;
  if (parse(lines, &text, &error) == GS_OK) {
    const gs_program *p = gs_text_kernel(text, 0);
    bool known = gs_program_count_trips(p->terms, p->loops[0].again, p->loops[0].trip_sym, &work,
                                        &trips);
    result = known ? (long)trips : -1;
  }
  gs_text_free(text);
  return result;
}

static void counted(const char *again, uint64_t work, long expected) {
  long got = trips_of(again, work);
  failures += got != expected;
  if (got != expected)
    printf("%s\n  expected %ld trips, got %ld\n", again, expected, got);
}

static void trips(void) {
  counted("(ult %k 10:64)", GS_TRIP_WORK, 10);
  counted("(ult (shl 1:64 %k) 256:64)", GS_TRIP_WORK, 8);
  counted("false", GS_TRIP_WORK, 0);
  counted("(ult %k 4095:64)", GS_TRIP_WORK, 4095);
  counted("(ult %k 4096:64)", GS_TRIP_WORK, -1);
  counted("true", GS_TRIP_WORK, -1);
  counted("(ult %k (zext 64 %blockDim.x))", GS_TRIP_WORK, -1);
  // The shift is out of range before the condition is false: nothing is known then.
  counted("(ult 0:8 (shl 1:8 (trunc 8 %k)))", GS_TRIP_WORK, -1);
  // Three terms for each trip, and the last one is evaluated as well.
  counted("(ult %k 10:64)", 33, 10);
  counted("(ult %k 10:64)", 32, -1);
}

int main(void) {
  trips();
  words();
  terms();
  flow();
  clauses();
  whole_files();
  round_trips();
  if (failures)
    printf("%d failures\n", failures);
  return failures != 0;
}
