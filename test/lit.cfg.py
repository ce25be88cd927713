# The lit suite. Substitutions hide the long command lines:
#
#   %gpusafe     the command of the build tree
#   %clang       clang for one device, sm_90, without a toolkit: the bundled declarations
#   %clang_gs    %clang with the plugin
#   %clang_bare  %clang without the bundled declarations
#   %clang_all   as %clang, but the whole compile: the host and sm_80, sm_90
#   %clang_c     clang for plain C kernels, nvptx64 and sm_90
#   %clang_host  clang++ for host code
#   %clang_host_pass  as %clang, but the host's pass alone
#   %clang_host_rules  the host's pass through the static analyzer, with the plugin
#   %clang_analyze  the static analyzer with the plugin, for the host and sm_90
#   %clang_link  clang as a linker
#   %clang_toolkit  clang for one device, sm_90, and the host, with the toolkit
#   %clang_launches  the whole compile with the plugin, for sm_90, to assembly of the host
#   %link_launches   makes a program of that with gpusafe's runtime and stand-ins for CUDA's
#   %link_bare       the same without gpusafe's runtime
#   %run_launches    runs such a program over the stand-in for the driver
#   %plugin      path of libgpusafe.so
#   %attrs       folder of gpusafe.h
#   %without_contracts FILE  prints PTX without the descriptors in it
#   %source, %build   the trees
#   %exits N CMD  runs CMD and wants exactly exit code N
#   %examples    folder of the examples
#   %layout DIR  makes an installation in DIR that a test may spoil (tools/Inputs/layout.sh)
#   %gs          the command of the installation in gs/, with a stand-in for clang
#
#   %other_clang a clang that the plugin is not made for
#
# Features: clang (plugin and clang are there), other-clang, cuda (a CUDA toolkit), nvcc, gcc,
# sanitized (built with -fsanitize), and programs by their names: cpack, dpkg-deb, …
import os
import shutil

import lit.formats

config.name = "gpusafe"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".cu", ".c", ".cpp", ".ll", ".gs", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py", "corpus", "bench"]
config.test_source_root = os.path.dirname(__file__)

source, build = config.gpusafe_source, config.gpusafe_build
plugin = os.path.join(build, "lib", "libgpusafe.so")
attrs = os.path.join(source, "attrs")
tool = os.path.join(build, "bin", "gpusafe")

# Sources of unit tests stand in the same folders; a lit test has a RUN line, and what
# has none is not a test (lit would call it unresolved).
config.excludes += [
    name
    for folder, _, names in os.walk(config.test_source_root)
    for name in names
    if name.endswith(tuple(config.suffixes))
    and "RUN:" not in open(os.path.join(folder, name), encoding="utf-8").read(4000)
]

toolkit = next(
    (
        path
        for path in (os.environ.get("CUDA_PATH"), "/usr/local/cuda", "/usr/lib/cuda")
        if path and os.path.isfile(os.path.join(path, "include", "cuda_runtime.h"))
    ),
    None,
)

# A clang whose version the plugin is not made for.
other_clang = next(
    (
        path
        for version in range(11, 30)
        if str(version) != config.gpusafe_llvm_version and (path := shutil.which(f"clang-{version}"))
    ),
    None,
)

minimal = (
    "-Wno-unknown-cuda-version -nocudainc -nocudalib -Xclang -target-sdk-version=12.9 --cuda-feature=+ptx88"
    f" -include {attrs}/gpusafe_cuda_min.h"
)
bare = f"{minimal} -I{attrs}".replace(f"-include {attrs}/gpusafe_cuda_min.h ", "")
cuda = f"{config.gpusafe_clang} -x cuda --cuda-gpu-arch=sm_90"
clang = f"{cuda} --cuda-device-only {minimal} -I{attrs}"

runtime = os.path.join(build, "runtime")

config.substitutions += [
    (
        "%clang_launches",
        f"env PATH={source}/test/runtime/Inputs/bin:$PATH {cuda} {minimal} -I{attrs} -S -fplugin={plugin}",
    ),
    (
        "%clang_host_rules",
        f"{cuda} --cuda-host-only {minimal} -I{attrs}".replace(" --cuda-feature=+ptx88", "")
        + f" --analyze --analyzer-output text -fplugin={plugin}",
    ),
    (
        "%clang_analyze",
        f"{cuda} {minimal} -I{attrs} --analyze -fplugin={plugin}".replace(" --cuda-feature=+ptx88", ""),
    ),
    ("%clang_host_pass", f"{cuda} --cuda-host-only {minimal} -I{attrs}".replace(" --cuda-feature=+ptx88", "")),
    ("%clang_toolkit", f"{cuda} -Wno-unknown-cuda-version --cuda-path={toolkit} -I{attrs}"),
    ("%clang_link", config.gpusafe_clang),
    ("%link_launches", f"sh {source}/test/runtime/Inputs/link.sh {config.gpusafe_clang} {source} {runtime}"),
    ("%link_bare", f"sh {source}/test/runtime/Inputs/link.sh {config.gpusafe_clang} {source} none"),
    ("%run_launches", f"env LD_LIBRARY_PATH={runtime}/fake"),
    ("%gpusafe", f"{tool}"),
    ("%clang_gs", f"{clang} -fplugin={plugin}"),
    ("%clang_bare", f"{cuda} --cuda-device-only {bare}"),
    ("%clang_all", f"{cuda} --cuda-gpu-arch=sm_80 {minimal} -I{attrs}"),
    (
        "%clang_c",
        f"{config.gpusafe_clang} -x c --target=nvptx64-nvidia-cuda -march=sm_90 -Xclang"
        f" -target-feature -Xclang +ptx88 -ffreestanding -nogpulib -I{attrs}",
    ),
    ("%clang_host", f"{config.gpusafe_clang} -x c++ -I{attrs}"),
    ("%clang", clang),
    ("%without_contracts", f"sh {source}/test/plugin/Inputs/without_contracts.sh"),
    ("%plugin", plugin),
    ("%attrs", attrs),
    ("%source", source),
    ("%build", build),
    ("%examples", os.path.join(source, "examples")),
    ("%gs", "env GPUSAFE_CLANG=gs/bin/clang-stand-in gs/bin/gpusafe"),
    ("%exits", f"sh {source}/test/tools/Inputs/exits.sh"),
    ("%python", config.gpusafe_python),
    ("%layout", f"sh {source}/test/tools/Inputs/layout.sh {build}"),
    ("%toolkit", toolkit or "/no-toolkit"),
    ("%other_clang", other_clang or "no-other-clang"),
]

if config.gpusafe_with_clang and config.gpusafe_clang and os.path.exists(plugin):
    config.available_features.add("clang")
    config.available_features.add(f"clang-{config.gpusafe_llvm_version}")
if config.gpusafe_sanitized:
    config.available_features.add("sanitized")
if toolkit:
    config.available_features.add("cuda")
    if os.path.exists(os.path.join(toolkit, "bin", "nvcc")):
        config.available_features.add("nvcc")
if other_clang:
    config.available_features.add("other-clang")
for tool_name in ("cpack", "dpkg-deb", "pkg-config", "man", "bash", "zsh"):
    if shutil.which(tool_name):
        config.available_features.add(tool_name)
if shutil.which("gcc"):
    config.available_features.add("gcc")

config.environment["PATH"] = os.pathsep.join((config.gpusafe_llvm_bin, os.environ["PATH"]))
config.environment["LC_ALL"] = "C"
for name in ("TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "GPUSAFE_SARIF_SCHEMA"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
