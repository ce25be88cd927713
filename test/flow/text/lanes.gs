; Warp operations with constant masks, and failed assertions.
; RUN: %verdicts %s --rules=warp-mask,assertion | FileCheck %s
; RUN: %gpusafe check --dump=accesses %s > %t.gs
; RUN: %gpusafe check --dump=accesses %t.gs | diff %t.gs -
; RUN: FileCheck --check-prefix=TEXT %s < %t.gs
gpusafe_text 1
target "sm_90"

; CHECK: RACE half {{.*}}warp-mask
; TEXT: lanes 0xffffffff
kernel "half"
  name "half"
  fact contract "block.x == 64"
  axes block.x
  %0 = (ult (and %threadIdx.x 31:32) 16:32)
  block 0 on %0 -> 1 2
  block 1 if %0 live true -> 2
    lanes 0xffffffff
  block 2 exits
    lanes 0xffffffff sync
end

; CHECK: PROVED half_named
kernel "half_named"
  name "half_named"
  fact contract "block.x == 64"
  axes block.x
  %0 = (ult (and %threadIdx.x 31:32) 16:32)
  block 0 on %0 -> 1 2
  block 1 if %0 live true -> 2
    lanes 0xffff
  block 2 exits
    lanes 0xffffffff sync
end

; CHECK: RACE asserted {{.*}}assertion
; TEXT: exits traps asserts
kernel "asserted"
  name "asserted"
  fact contract "block.x == 64"
  axes block.x
  %0 = (ult %threadIdx.x 63:32)
  block 0 on %0 -> 2 1
  block 1 if (xor %0 true) live (xor %0 true) exits traps asserts
  block 2 if %0 live %0 exits
end
