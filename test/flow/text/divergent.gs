; A barrier that the whole block reaches, and one under a condition on the thread.
; RUN: %verdicts %s --rules=-barrier-divergence | FileCheck %s
; RUN: %verdicts %s --rules=barrier-divergence | FileCheck --check-prefix=DIVERGES %s
gpusafe_text 1
target "sm_90"

; DIVERGES: PROVED uniform_branch
; CHECK: PROVED uniform_branch
kernel "uniform_branch"
  name "uniform_branch"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x grid.x
  static_smem 1024
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw)
  %arg1 = sym param 1 grid s32 exact "arg1"
  %1 = (slt 4:32 %arg1)
  %2 = (eq %blockIdx.x 0:32)
  %3 = (and %1 %2)
  %4 = (mul (zext 64 (sub 255:32 %threadIdx.x)) 4:64 nsw)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  object 0 shared "s" size 1024 elem 4 base %s written
  object 1 param "arg0" of 0 base %arg0 written
  block 0 on %1 -> 1 4
    access 0 write 4 const 0x3ff0000000000000
      to 0 + %0 ; s
  block 1 if %1 live true on %2 -> 2 3
    barrier 0 block
  block 2 if %3 live %2 -> 3
    access 1 read 4
      to 0 + %4 ; s
    access 2 write 4
      to 1 + %0 ; arg0
  block 3 if %1 live true -> 4
  block 4 exits
end

; DIVERGES: RACE divergent_branch
; CHECK: POSSIBLE divergent_branch {{.*}}data-race
kernel "divergent_branch"
  name "divergent_branch"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x grid.x
  static_smem 1024
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw)
  %1 = (ult 4:32 %threadIdx.x)
  %2 = (eq %blockIdx.x 0:32)
  %3 = (mul (zext 64 (sub 255:32 %threadIdx.x)) 4:64 nsw)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  object 0 shared "s" size 1024 elem 4 base %s written
  object 1 param "arg0" of 0 base %arg0 written
  block 0 on %1 -> 1 2
    access 0 write 4 const 0x3ff0000000000000
      to 0 + %0 ; s
  block 1 if %1 live true -> 2
    barrier 0 block
  block 2 on %2 -> 3 4
  block 3 if %2 live true -> 4
    access 1 read 4
      to 0 + %3 ; s
    access 2 write 4
      to 1 + %0 ; arg0
  block 4 exits
end
