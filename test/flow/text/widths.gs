; Floats beside each other, and four-byte words at a distance of two.
; RUN: %verdicts %s | FileCheck %s
gpusafe_text 1
target "sm_90"

; CHECK: PROVED words
kernel "words"
  name "words"
  param "arg0" "" pointer 8
  fact contract "block.x == 256"
  axes block.x grid.x
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %0 = (mul (zext 64 (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw) nuw)) 4:64 nsw)
  object 0 param "arg0" of 0 base %arg0 written
  block 0 exits
    access 0 write 4 value %threadIdx.x
      to 0 + %0 ; arg0
end

; CHECK: RACE overlapping_words {{.*}}data-race
kernel "overlapping_words"
  name "overlapping_words"
  param "arg0" "" pointer 8
  fact contract "block.x == 256"
  axes block.x grid.x
  %arg0 = sym param 0 grid u64 exact address "arg0"
  %0 = (mul (zext 64 (add %threadIdx.x (mul %blockIdx.x %blockDim.x nuw) nuw)) 2:64)
  object 0 param "arg0" of 0 base %arg0 written
  block 0 exits
    access 0 write 4 value %threadIdx.x
      to 0 + %0 ; arg0
end
