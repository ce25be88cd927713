; One element for each thread of the grid, and the index that forgets the block.
; RUN: %verdicts %s | FileCheck %s
gpusafe_text 1
target "sm_90"

; CHECK: PROVED own_element
kernel "own_element"
  name "own_element"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x grid.x
  %0 = (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw) nuw)
  %arg1 = sym param 1 grid s32 exact "arg1"
  %1 = (slt %0 %arg1)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %2 = (mul (sext 64 %0) 4:64 nsw)
  object 0 param "arg0" of 0 base %arg0 written
  block 0 on %1 -> 1 2
  block 1 if %1 live true -> 2
    access 0 write 4 const 0x3ff0000000000000
      to 0 + %2 ; arg0
  block 2 exits
end

; CHECK: RACE block_forgotten {{.*}}data-race
kernel "block_forgotten"
  name "block_forgotten"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x
  %arg1 = sym param 1 grid s32 exact "arg1"
  %0 = (slt %threadIdx.x %arg1)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %1 = (mul (sext 64 %threadIdx.x) 4:64 nsw)
  object 0 param "arg0" of 0 base %arg0 written
  block 0 on %0 -> 1 2
  block 1 if %0 live true -> 2
    access 0 write 4
      to 0 + %1 ; arg0
  block 2 exits
end
