; Results of atomic operations and asynchronous copies, in text.
; RUN: %verdicts %s | FileCheck %s
; RUN: %gpusafe check --dump=accesses %s > %t.gs && %gpusafe check --dump=accesses %t.gs | diff %t.gs -
gpusafe_text 1
target "sm_90"

; CHECK: PROVED slots
kernel "slots"
  name "slots"
  param "arg0" "" pointer 8
  param "arg1" "" pointer 8
  origin !1 pointer
  axes block.x
  %arg1 = sym param 1 grid u64 exact address "arg1"
  %s_ = sym opaque thread u32 "?" because "the result of an atomic operation"
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %0 = (mul (sext 64 %s_) 4:64 nsw !1)
  object 0 param "arg1" of 1 base %arg1 written
  object 1 param "arg0" of 0 base %arg0 written
  block 0 exits
    access 0 write 4 atomic rmw add %s_ 1:32
      to 0 + 0:64 ; arg1
    access 1 write 4 value %threadIdx.x
      to 1 + %0 ; arg0
end

; CHECK: PROVED winner
kernel "winner"
  name "winner"
  param "arg0" "" pointer 8
  param "arg1" "" pointer 8
  param "arg2" "" pointer 8
  origin !1 pointer
  origin !2 pointer
  origin !3 pointer
  axes block.x grid.x
  reads_only_assumed
  %arg2 = sym param 2 grid u64 exact address "arg2"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw !1)
  %1 = (add %arg2 %0)
  %arg1 = sym param 1 grid u64 exact address "arg1"
  %2 = (mul (sext 64 (load 32 %1)) 4:64 nsw !2)
  %s_ = sym opaque thread u32 "?" because "the result of an atomic operation"
  %3 = (eq %s_ 0:32)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  object 0 param "arg2" of 2 base %arg2
  object 1 param "arg1" of 1 base %arg1 written
  object 2 param "arg0" of 0 base %arg0 written
  block 0 on %3 -> 1 2
    access 0 read 4
      to 0 + %0 ; arg2
    access 1 write 4 atomic rmw cas %s_ 1:32 expected 0:32
      to 1 + %2 ; arg1
  block 1 if %3 live true -> 2
    access 2 write 4 value %blockIdx.x
      to 2 + %2 ; arg0
  block 2 exits
end

; CHECK: PROVED copy
kernel "copy"
  name "copy"
  param "arg0" "" pointer 8
  param "arg1" "" pointer 8
  origin !1 pointer
  origin !2 pointer
  origin !3 pointer
  origin !4 pointer
  origin !5 index
  origin !6 index
  axes block.x grid.x
  static_smem 4096
  %arg1 = sym param 1 grid u64 exact address "arg1"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw !1)
  %s = sym base 1 block u64 exact address "s"
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %1 = (mul (zext 64 (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw !5) nuw !6)) 4:64 nsw !4)
  object 0 param "arg1" of 1 base %arg1
  object 1 shared "s" size 4096 elem 4 base %s written
  object 2 param "arg0" of 0 base %arg0 written
  block 0 exits
    access 0 read 4 async from
      to 0 + %0 ; arg1
    access 1 write 4 async to
      to 1 + %0 ; s
    access 2 read 0 async commit
    access 3 read 0 async wait 0
    access 4 read 4
      to 1 + %0 ; s
    access 5 write 4
      to 2 + %1 ; arg0
end
