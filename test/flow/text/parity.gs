; A double buffer with one barrier a round, and a single buffer.
; RUN: %verdicts %s | FileCheck %s
gpusafe_text 1
target "sm_90"

; CHECK: PROVED two_buffers
kernel "two_buffers"
  name "two_buffers"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x grid.x
  static_smem 2048
  %trip = sym loop 0 grid u64 [0, 281474976710656] exact in 0 "trip"
  %arg1 = sym param 1 grid s32 exact "arg1"
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw)
  %1 = (mul (zext 64 (sub 255:32 %threadIdx.x)) 4:64 nsw)
  %2 = (trunc 32 %trip nsw)
  %3 = (mul (sext 64 (and %2 1:32)) 1024:64 nsw)
  %4 = (slt %2 %arg1)
  %5 = (or (eq %trip 0:64) (slt (trunc 32 (sub %trip 1:64) nsw) %arg1))
  %6 = (eq %blockIdx.x 0:32)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %7 = (add %0 %3)
  %8 = (add %1 %3)
  given %trip %5
  object 0 shared "s" size 2048 elem 4 base %s written
  object 1 param "arg0" of 0 base %arg0 written
  loop 0 header 1 again %4 trip %trip
  block 0 -> 1
  block 1 in 0 on %4 -> 6 2
  block 2 -> 3
  block 3 on %6 -> 4 5
  block 4 if %6 live true -> 5
    access 2 write 4
      to 1 + %0 ; arg0
  block 5 exits
  block 6 in 0 if %4 -> 7
    access 0 write 4
      to 0 + %7 ; s
    barrier 0 block
    access 1 read 4
      to 0 + %8 ; s
  block 7 in 0 if %4 -> 1
end

; CHECK: RACE one_buffer {{.*}}data-race
kernel "one_buffer"
  name "one_buffer"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x grid.x
  static_smem 1024
  %trip = sym loop 0 grid u64 [0, 281474976710656] exact in 0 "trip"
  %arg1 = sym param 1 grid s32 exact "arg1"
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw)
  %1 = (mul (zext 64 (sub 255:32 %threadIdx.x)) 4:64 nsw)
  %2 = (slt (trunc 32 %trip nsw) %arg1)
  %3 = (or (eq %trip 0:64) (slt (trunc 32 (sub %trip 1:64) nsw) %arg1))
  %4 = (eq %blockIdx.x 0:32)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  given %trip %3
  object 0 shared "s" size 1024 elem 4 base %s written
  object 1 param "arg0" of 0 base %arg0 written
  loop 0 header 1 again %2 trip %trip
  block 0 -> 1
  block 1 in 0 on %2 -> 6 2
  block 2 -> 3
  block 3 on %4 -> 4 5
  block 4 if %4 live true -> 5
    access 2 write 4
      to 1 + %0 ; arg0
  block 5 exits
  block 6 in 0 if %2 -> 7
    access 0 write 4
      to 0 + %0 ; s
    barrier 0 block
    access 1 read 4
      to 0 + %1 ; s
  block 7 in 0 if %2 -> 1
end
