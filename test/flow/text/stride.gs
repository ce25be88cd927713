; A grid-stride loop, and one whose step forgets the grid.
; RUN: %verdicts %s | FileCheck %s
gpusafe_text 1
target "sm_90"

; CHECK: PROVED grid_stride
kernel "grid_stride"
  name "grid_stride"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x grid.x
  %trip = sym loop 0 grid u64 [0, 281474976710656] exact in 0 "trip"
  %arg1 = sym param 1 grid s32 exact "arg1"
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %0 = (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw) nuw)
  %1 = (mul %blockDim.x %gridDim.x nuw)
  %2 = (sext 64 %0)
  %3 = (sext 64 %1)
  %4 = (trunc 32 (add %2 (mul %trip %3 nsw) nsw) nsw)
  %5 = (mul (sext 64 %4) 4:64 nsw)
  %6 = (slt %4 %arg1)
  %7 = (or (eq %trip 0:64) (slt (trunc 32 (add %2 (mul %3 (sub %trip 1:64) nsw) nsw) nsw) %arg1))
  given %trip %7
  object 0 param "arg0" of 0 base %arg0 written
  loop 0 header 1 again %6 trip %trip
  block 0 -> 1
  block 1 in 0 on %6 -> 4 2
  block 2 -> 3
  block 3 exits
  block 4 in 0 if %6 -> 5
    access 0 write 4 const 0x3ff0000000000000
      to 0 + %5 ; arg0
  block 5 in 0 if %6 -> 1
end

; CHECK: RACE stride_of_a_block {{.*}}data-race
kernel "stride_of_a_block"
  name "stride_of_a_block"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x grid.x
  %trip = sym loop 0 grid u64 [0, 281474976710656] exact in 0 "trip"
  %arg1 = sym param 1 grid s32 exact "arg1"
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %0 = (sext 64 (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw) nuw))
  %1 = (sext 64 %blockDim.x)
  %2 = (trunc 32 (add %0 (mul %trip %1 nsw) nsw) nsw)
  %3 = (slt %2 %arg1)
  %4 = (mul (sext 64 %2) 4:64 nsw)
  %5 = (or (eq %trip 0:64) (slt (trunc 32 (add %0 (mul %1 (sub %trip 1:64) nsw) nsw) nsw) %arg1))
  given %trip %5
  object 0 param "arg0" of 0 base %arg0 written
  loop 0 header 1 again %3 trip %trip
  block 0 -> 1
  block 1 in 0 on %3 -> 4 2
  block 2 -> 3
  block 3 exits
  block 4 in 0 if %3 -> 5
    access 0 write 4
      to 0 + %4 ; arg0
  block 5 in 0 if %3 -> 1
end
