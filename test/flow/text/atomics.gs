; A histogram by atomic operations, and with plain additions.
; RUN: %verdicts %s | FileCheck %s
gpusafe_text 1
target "sm_90"

; CHECK: PROVED atomic_counts
kernel "atomic_counts"
  name "atomic_counts"
  param "arg0" "" pointer 8
  param "arg1" "" pointer 8
  param "arg2" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x grid.x
  reads_only_assumed
  %0 = (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw) nuw)
  %arg2 = sym param 2 grid s32 exact "arg2"
  %1 = (slt %0 %arg2)
  %arg1 = sym param 1 grid u64 exact address "arg1"
  %2 = (sext 64 %0)
  %3 = (add %arg1 %2)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %4 = (mul (zext 64 (load 8 %3)) 4:64 nsw)
  object 0 param "arg1" of 1 base %arg1
  object 1 param "arg0" of 0 base %arg0 written
  block 0 on %1 -> 1 2
  block 1 if %1 live true -> 2
    access 0 read 1
      to 0 + %2 ; arg1
    access 1 write 4 atomic
      to 1 + %4 ; arg0
  block 2 exits
end

; CHECK: RACE plain_counts {{.*}}data-race
kernel "plain_counts"
  name "plain_counts"
  param "arg0" "" pointer 8
  param "arg1" "" pointer 8
  param "arg2" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x grid.x
  reads_only_assumed
  %0 = (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw) nuw)
  %arg2 = sym param 2 grid s32 exact "arg2"
  %1 = (slt %0 %arg2)
  %arg1 = sym param 1 grid u64 exact address "arg1"
  %2 = (sext 64 %0)
  %3 = (add %arg1 %2)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %4 = (mul (zext 64 (load 8 %3)) 4:64 nsw)
  %s_ = sym opaque thread u32 "?" because "a value read from memory that the kernel writes"
  %5 = (add %s_ 1:32)
  object 0 param "arg1" of 1 base %arg1
  object 1 param "arg0" of 0 base %arg0 written
  block 0 on %1 -> 1 2
  block 1 if %1 live true -> 2
    access 0 read 1
      to 0 + %2 ; arg1
    access 1 read 4
      to 1 + %4 ; arg0
    access 2 write 4 value %5
      to 1 + %4 ; arg0
  block 2 exits
end
