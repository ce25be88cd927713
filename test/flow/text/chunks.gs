; M elements in a row for each thread, and one too many.
; RUN: %verdicts %s | FileCheck %s
gpusafe_text 1
target "sm_90"

; CHECK: PROVED chunk
kernel "chunk"
  name "chunk"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  param "arg2" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x grid.x
  %trip = sym loop 0 grid u64 [0, 281474976710656] exact in 0 "trip"
  %0 = (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw) nuw)
  %arg1 = sym param 1 grid s32 exact "arg1"
  %1 = (slt %0 %arg1)
  %arg2 = sym param 2 grid s32 exact "arg2"
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %2 = (mul %0 %arg2 nsw)
  %3 = (trunc 32 %trip nsw)
  %4 = (mul (sext 64 (add %2 %3 nsw)) 4:64 nsw)
  %5 = (slt %3 %arg2)
  %6 = (or (eq %trip 0:64) (slt (trunc 32 (sub %trip 1:64) nsw) %arg2))
  given %trip %6
  object 0 param "arg0" of 0 base %arg0 written
  loop 0 header 2 enter %1 live_enter true again %5 trip %trip
  block 0 on %1 -> 1 5
  block 1 if %1 live true -> 2
  block 2 in 0 on %5 -> 6 3
  block 3 if %1 live true -> 4
  block 4 if %1 live true -> 5
  block 5 exits
  block 6 in 0 if %5 -> 7
    access 0 write 4
      to 0 + %4 ; arg0
  block 7 in 0 if %5 -> 2
end

; CHECK: RACE chunk_too_long {{.*}}data-race
kernel "chunk_too_long"
  name "chunk_too_long"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  param "arg2" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x grid.x
  %trip = sym loop 0 grid u64 [0, 281474976710656] exact in 0 "trip"
  %0 = (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw) nuw)
  %arg1 = sym param 1 grid s32 exact "arg1"
  %1 = (slt %0 %arg1)
  %arg2 = sym param 2 grid s32 exact "arg2"
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %2 = (mul %0 %arg2 nsw)
  %3 = (trunc 32 %trip nsw)
  %4 = (mul (sext 64 (add %2 %3 nsw)) 4:64 nsw)
  %5 = (sle %3 %arg2)
  %6 = (or (eq %trip 0:64) (sle (trunc 32 (sub %trip 1:64) nsw) %arg2))
  given %trip %6
  object 0 param "arg0" of 0 base %arg0 written
  loop 0 header 2 enter %1 live_enter true again %5 trip %trip
  block 0 on %1 -> 1 5
  block 1 if %1 live true -> 2
  block 2 in 0 on %5 -> 6 3
  block 3 if %1 live true -> 4
  block 4 if %1 live true -> 5
  block 5 exits
  block 6 in 0 if %5 -> 7
    access 0 write 4
      to 0 + %4 ; arg0
  block 7 in 0 if %5 -> 2
end
