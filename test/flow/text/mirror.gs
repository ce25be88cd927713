; Shared memory that is written, then read by another thread, with and without a barrier.
; RUN: %verdicts %s | FileCheck %s
gpusafe_text 1
target "sm_90"

; CHECK: PROVED barrier_between
kernel "barrier_between"
  name "barrier_between"
  param "arg0" "" pointer 8
  fact contract "block.x == 256"
  axes block.x grid.x
  static_smem 1024
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw)
  %1 = (eq %blockIdx.x 0:32)
  %2 = (mul (zext 64 (sub 255:32 %threadIdx.x)) 4:64 nsw)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  object 0 shared "s" size 1024 elem 4 base %s written
  object 1 param "arg0" of 0 base %arg0 written
  block 0 on %1 -> 1 2
    access 0 write 4
      to 0 + %0 ; s
    barrier 0 block
  block 1 if %1 -> 2
    access 1 read 4
      to 0 + %2 ; s
    access 2 write 4
      to 1 + %0 ; arg0
  block 2 exits
end

; CHECK: RACE barrier_missing {{.*}}data-race
kernel "barrier_missing"
  name "barrier_missing"
  param "arg0" "" pointer 8
  fact contract "block.x == 256"
  axes block.x grid.x
  static_smem 1024
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw)
  %1 = (eq %blockIdx.x 0:32)
  %2 = (mul (zext 64 (sub 255:32 %threadIdx.x)) 4:64 nsw)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  object 0 shared "s" size 1024 elem 4 base %s written
  object 1 param "arg0" of 0 base %arg0 written
  block 0 on %1 -> 1 2
    access 0 write 4
      to 0 + %0 ; s
  block 1 if %1 live true -> 2
    access 1 read 4
      to 0 + %2 ; s
    access 2 write 4
      to 1 + %0 ; arg0
  block 2 exits
end
