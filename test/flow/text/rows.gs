; A matrix with a symbolic width, and one that forgets the column.
; RUN: %verdicts %s | FileCheck %s
gpusafe_text 1
target "sm_90"

; CHECK: PROVED guarded_row
kernel "guarded_row"
  name "guarded_row"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  param "arg2" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x block.y grid.x grid.y
  %0 = (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw) nuw)
  %arg1 = sym param 1 grid s32 exact "arg1"
  %1 = (slt %0 %arg1)
  %2 = (add %threadIdx.y (mul %blockIdx.y %blockDim.y nuw) nuw)
  %arg2 = sym param 2 grid s32 exact "arg2"
  %3 = (slt %2 %arg2)
  %4 = (and %1 %3)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %5 = (mul (sext 64 (add %0 (mul %arg1 %2 nsw) nsw)) 4:64 nsw)
  object 0 param "arg0" of 0 base %arg0 written
  block 0 on %1 -> 1 3
  block 1 if %1 live true on %3 -> 2 3
  block 2 if %4 live true -> 3
    access 0 write 4 const 0x0
      to 0 + %5 ; arg0
  block 3 exits
end

; CHECK: RACE column_forgotten {{.*}}data-race
kernel "column_forgotten"
  name "column_forgotten"
  param "arg0" "" pointer 8
  param "arg1" "" int 4
    field "" +0 int 32 signed
  param "arg2" "" int 4
    field "" +0 int 32 signed
  fact contract "block.x == 256"
  axes block.x block.y grid.x grid.y
  %0 = (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw) nuw)
  %arg1 = sym param 1 grid s32 exact "arg1"
  %1 = (slt %0 %arg1)
  %2 = (add %threadIdx.y (mul %blockIdx.y %blockDim.y nuw) nuw)
  %arg2 = sym param 2 grid s32 exact "arg2"
  %3 = (slt %2 %arg2)
  %4 = (and %1 %3)
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %5 = (mul (sext 64 (mul %arg1 %2 nsw)) 4:64 nsw)
  object 0 param "arg0" of 0 base %arg0 written
  block 0 on %1 -> 1 3
  block 1 if %1 live true on %3 -> 2 3
  block 2 if %4 live true -> 3
    access 0 write 4
      to 0 + %5 ; arg0
  block 3 exits
end
