# SPDX-License-Identifier: GPL-3.0-or-later
from spack.package import *


class Laggard(CMakePackage):
    """Trace explorer and visual debugger for parallel jobs that hang, crash or run slow."""

    # There is no server of releases: `spack dev-build` or `spack develop` in a clone (docs/install.md).
    homepage = "https://localhost.localdomain/laggard"
    has_code = True

    license("GPL-3.0-or-later")

    version("0.1.0")
    version("main")

    variant("gui", default=False, description="The window, and pictures other than DOT and SVG of the progress graph")
    variant("slice", default=False, description="The slicer")
    variant("mpich", default=True, description="Record jobs of MPICH and what shares its interface")
    variant("openmpi", default=False, description="Record jobs of Open MPI")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3:", type="build")

    depends_on("boost@1.74:")
    depends_on("eigen@3.3:")
    depends_on("cli11@2:")
    depends_on("nlohmann-json@3.10:")
    depends_on("simdjson@2:")
    depends_on("otf2@3:")
    depends_on("elfutils@0.180:")
    depends_on("libunwind@1.3:")
    depends_on("graphviz@2.43:")

    with when("+gui"):
        depends_on("qt-base@6.4: +gui +widgets")
        depends_on("qt-svg@6.4:")
        depends_on("qscintilla +qt6")
        depends_on("qcustomplot")
    with when("+slice"):
        depends_on("llvm@14 +clang")

    # Only headers and the wrapper compilers are used: the recorder is linked with neither.
    depends_on("mpich@3.3:", when="+mpich", type=("build", "test"))
    depends_on("openmpi@4:", when="+openmpi", type=("build", "test"))
    # Both in one environment have the same commands; each is named by its path below.

    def cmake_args(self):
        args = [
            self.define_from_variant("LAGGARD_GUI", "gui"),
            self.define_from_variant("LAGGARD_SLICE", "slice"),
            self.define("LAGGARD_TESTS", self.run_tests),
            self.define("LAGGARD_BENCH", False),
        ]
        for flavour in ("mpich", "openmpi"):
            compiler = join_path(self.spec[flavour].prefix.bin, "mpicc") if f"+{flavour}" in self.spec else "NOTFOUND"
            args.append(self.define(f"LAGGARD_MPICC_{flavour.upper()}", compiler))
        return args
