; The verifier, not the parser, refuses this.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k() {
  %a = add i32 %a, 1
  ret void
}
