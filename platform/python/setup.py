# SPDX-License-Identifier: MIT
"""The wheel: the package, with the library and the machine files that CMake has put beside it (CMakeLists.txt)."""
import pathlib

from setuptools import setup
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


class AnyPython(bdist_wheel):
    """The library calls no function of Python: any version of it will do, on this platform."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(
    name="heddle",
    version=pathlib.Path("version").read_text().strip(),
    description="Heddle, a simulator of GPUs, as a library: open a machine, launch kernels, read statistics",
    license="MIT",
    python_requires=">=3.9",
    packages=["heddle"],
    include_package_data=False,
    package_data={"heddle": ["py.typed", "lib/*", "share/heddle/configs/**/*"]},
    distclass=WithLibrary,
    cmdclass={"bdist_wheel": AnyPython},
)
