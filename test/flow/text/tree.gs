; The tree sum, and with the barrier outside of the loop.
; RUN: %verdicts %s | FileCheck %s
gpusafe_text 1
target "sm_90"

; CHECK: PROVED tree
kernel "tree"
  name "tree"
  param "arg0" "" pointer 8
  fact contract "block.x == 256"
  axes block.x grid.x
  static_smem 1024
  %trip = sym loop 0 grid u64 [0, 8] exact in 0 "trip"
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw)
  %1 = (ite (ule %trip 31:64) (lshr 128:32 (trunc 32 %trip)) 0:32)
  %2 = (ult %threadIdx.x %1)
  %3 = (slt 0:32 %1)
  %4 = (mul (zext 64 (add %threadIdx.x %1)) 4:64 nsw)
  %5 = (and %2 %3)
  %6 = (eq %trip 0:64)
  %7 = (sub %trip 1:64)
  %8 = (or %6 (slt 0:32 (ite (ule %7 31:64) (lshr 128:32 (trunc 32 %7)) 0:32)))
  %9 = (eq %threadIdx.x 0:32)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %10 = (mul (zext 64 %blockIdx.x) 4:64 nsw)
  given %trip %8
  object 0 shared "s" size 1024 elem 4 base %s written
  object 1 param "arg0" of 0 base %arg0 written
  loop 0 header 1 again %3 trip %trip
  block 0 -> 1
    access 0 write 4 const 0x0
      to 0 + %0 ; s
    barrier 0 block
  block 1 in 0 on %3 -> 6 2
  block 2 -> 3
  block 3 on %9 -> 4 5
  block 4 if %9 live true -> 5
    access 4 read 4
      to 0 + 0:64 ; s
    access 5 write 4
      to 1 + %10 ; arg0
  block 5 exits
  block 6 in 0 if %3 on %2 -> 7 8
  block 7 in 0 if %5 -> 8
    access 1 read 4
      to 0 + %4 ; s
    access 2 read 4
      to 0 + %0 ; s
    access 3 write 4
      to 0 + %0 ; s
  block 8 in 0 if %3 -> 9
    barrier 1 block
  block 9 in 0 if %3 -> 1
end

; CHECK: RACE tree_without_steps {{.*}}data-race
kernel "tree_without_steps"
  name "tree_without_steps"
  param "arg0" "" pointer 8
  fact contract "block.x == 256"
  axes block.x grid.x
  static_smem 1024
  %trip = sym loop 0 grid u64 [0, 8] exact in 0 "trip"
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw)
  %1 = (ite (ule %trip 31:64) (lshr 128:32 (trunc 32 %trip)) 0:32)
  %2 = (ult %threadIdx.x %1)
  %3 = (mul (zext 64 (add %threadIdx.x %1)) 4:64 nsw)
  %4 = (slt 0:32 %1)
  %5 = (and %2 %4)
  %6 = (eq %trip 0:64)
  %7 = (sub %trip 1:64)
  %8 = (or %6 (slt 0:32 (ite (ule %7 31:64) (lshr 128:32 (trunc 32 %7)) 0:32)))
  %9 = (eq %threadIdx.x 0:32)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %10 = (mul (zext 64 %blockIdx.x) 4:64 nsw)
  given %trip %8
  object 0 shared "s" size 1024 elem 4 base %s written
  object 1 param "arg0" of 0 base %arg0 written
  loop 0 header 1 again %4 trip %trip
  block 0 -> 1
    access 0 write 4 const 0x0
      to 0 + %0 ; s
    barrier 0 block
  block 1 in 0 on %4 -> 6 2
  block 2 -> 3
  block 3 on %9 -> 4 5
    barrier 1 block
  block 4 if %9 -> 5
    access 4 read 4
      to 0 + 0:64 ; s
    access 5 write 4
      to 1 + %10 ; arg0
  block 5 exits
  block 6 in 0 if %4 on %2 -> 7 8
  block 7 in 0 if %5 -> 8
    access 1 read 4
      to 0 + %3 ; s
    access 2 read 4
      to 0 + %0 ; s
    access 3 write 4
      to 0 + %0 ; s
  block 8 in 0 if %4 -> 9
  block 9 in 0 if %4 -> 1
end
