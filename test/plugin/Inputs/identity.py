# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# identity.py same REPORT PTX ASSEMBLY: the kernel 'k' has one proof identity in all of them.
# identity.py equal|different REPORT REPORT...: that of the first against those of the others.
import json
import re
import sys

PROOF = 44  # offset in gs_desc_header


def of_report(path):
    kernels = json.load(open(path))["kernels"]
    (kernel,) = [k for k in kernels if k["name"] == "k"]
    assert re.fullmatch("[0-9a-f]{64}", kernel["proof"]), kernel["proof"]
    return kernel["proof"]


def of_ptx(path):
    text = re.search(r"__gpusafe_contract_\w+\[\d+\] = \{([0-9, ]*)\}", open(path).read()).group(1)
    return bytes(int(n) for n in text.split(",")[PROOF : PROOF + 32]).hex()


def of_assembly(path):
    """The bytes of .asciz and .ascii with clang's octal escapes."""
    block = re.search(r'gpusafe_contract\.[^\n]*:\n\s*\.asciz?\s+"(.*)"', open(path).read()).group(1)
    simple = {"n": 10, "t": 9, "b": 8, "f": 12, "r": 13, '"': 34, "\\": 92}
    out, i = [], 0
    while len(out) < PROOF + 32:
        if block[i] != "\\":
            out.append(ord(block[i]))
            i += 1
        elif block[i + 1] in simple:
            out.append(simple[block[i + 1]])
            i += 2
        else:
            out.append(int(block[i + 1 : i + 4], 8))
            i += 4
    return bytes(out[PROOF:]).hex()


how, first = sys.argv[1], of_report(sys.argv[2])
if how == "same":
    assert first == of_ptx(sys.argv[3]), (first, of_ptx(sys.argv[3]))
    assert first == of_assembly(sys.argv[4]), (first, of_assembly(sys.argv[4]))
others = [] if how == "same" else [of_report(path) for path in sys.argv[3:]]
for path, other in zip(sys.argv[3:], others):
    assert (other == first) == (how == "equal"), path
assert how != "different" or len(set(others)) == len(others)
