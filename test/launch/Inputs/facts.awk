# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The plugin's dump as one line for each way in which a kernel is launched:
#   k<1> @12 13: block == (32, 1, 1); grid.x == n
# without what nearly all launches say (one row of blocks, no dynamic shared memory).
function flush_line() {
  if (line != "")
    print line
  line = ""
}
/^kernel '/ {
  flush_line()
  name = $0
  sub(/^kernel '/, "", name)
  sub(/' _.*/, "", name)
}
/^  launched at / {
  flush_line()
  n = split($0, at, ", ")
  line = name " @"
  for (i = 1; i <= n; i++) {
    count = split(at[i], part, ":")
    line = line (i > 1 ? " " : "") part[count - 1]
  }
  line = line ":"
}
/^    [^' ]/ && line != "" {
  fact = substr($0, 5)
  sub(/ \[[^=\[]+ = (param|pointer).*\]/, "", fact)
  for (what = 1; what <= 2; what++) {
    s = what == 1 ? "block" : "grid"
    if (match(fact, "^" s "\\.x == [0-9]+ && " s "\\.y == [0-9]+ && " s "\\.z == [0-9]+$")) {
      gsub(" && " s "\\.[yz] == ", ", ", fact)
      sub("\\.x == ", " == (", fact)
      fact = fact ")"
    }
  }
  if (fact != "dynamic_smem == 0" && fact != "grid.y == 1" && fact != "grid.z == 1")
    line = line (line ~ /:$/ ? " " : "; ") fact
}
END { flush_line() }
