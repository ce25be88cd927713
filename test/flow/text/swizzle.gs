; An exclusive or permutes, an or does not.
; RUN: %verdicts %s | FileCheck %s
gpusafe_text 1
target "sm_90"

; CHECK: PROVED swizzled
kernel "swizzled"
  name "swizzled"
  param "arg0" "" pointer 8
  fact contract "block.x == 256"
  axes block.x
  static_smem 1024
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 (xor %threadIdx.x (lshr %threadIdx.x 4:32))) 4:64 nsw)
  object 0 shared "s" size 1024 elem 4 base %s written
  block 0 exits
    access 0 write 4
      to 0 + %0 ; s
end

; CHECK: RACE merged {{.*}}data-race
kernel "merged"
  name "merged"
  param "arg0" "" pointer 8
  fact contract "block.x == 256"
  axes block.x
  static_smem 1024
  %s = sym base 0 block u64 exact address "s"
  %0 = (mul (zext 64 (or %threadIdx.x (lshr %threadIdx.x 4:32))) 4:64 nsw)
  object 0 shared "s" size 1024 elem 4 base %s written
  block 0 exits
    access 0 write 4
      to 0 + %0 ; s
end
