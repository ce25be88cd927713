"""nest.py N: a kernel with N loops in each other; the innermost writes an element of
shared memory, and reads another thread's after a barrier."""
import sys

n = int(sys.argv[1])
out = ['gpusafe_text 1', 'kernel "nest"', '  name "nest"', '  fact contract "block.x == 256"']
out += ["  axes block.x"]
out += [f"  %k{i} = sym loop {i} grid u64 [0, 10] exact in {i}" for i in range(n)]
out += ['  object 0 shared "s" size 1024 elem 4 written']
for i in range(n):
    around = f" in {i - 1}" if i else ""
    out += [f"  loop {i}{around} header {i + 1} again (ult %k{i} 10:64) trip %k{i}"]
out += ["  block 0 -> 1"]
out += [f"  block {i + 1} in {i} -> {i + 2}" for i in range(n)]
# The way round each loop, innermost first.
last = n + 1
out += [f"  block {last} in {n - 1} -> {last + 1}"]
out += ["    access 0 write 4", "      to 0 + (mul (zext 64 %threadIdx.x) 4:64)", "    barrier 0 block"]
out += ["    access 1 read 4", "      to 0 + (mul (zext 64 (sub 255:32 %threadIdx.x)) 4:64)"]
out += ["    barrier 1 block"]
for i in reversed(range(n)):
    block = last + n - i
    out += [f"  block {block} in {i} on (ult %k{i} 10:64) -> {i + 1} {block + 1}"]
out += [f"  block {last + n + 1} exits", "end"]
print("\n".join(out))
