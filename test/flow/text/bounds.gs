; An array that is large enough, and one that is not.
; RUN: %verdicts %s | FileCheck %s
gpusafe_text 1
target "sm_90"

; CHECK: PROVED fits
kernel "fits"
  name "fits"
  param "arg0" "" pointer 8
  fact contract "block.x == 256"
  axes block.x
  static_smem 1024
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw)
  object 0 shared "s" size 1024 elem 4 base %s written
  block 0 exits
    access 0 write 4 const 0x3ff0000000000000
      to 0 + %0 ; s
end

; CHECK: RACE too_small {{.*}}out-of-bounds
kernel "too_small"
  name "too_small"
  param "arg0" "" pointer 8
  fact contract "block.x == 256"
  axes block.x
  static_smem 1020
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 %threadIdx.x) 4:64 nsw)
  object 0 shared "s" size 1020 elem 4 base %s written
  block 0 exits
    access 0 write 4 const 0x3ff0000000000000
      to 0 + %0 ; s
end
