"""The build back end of the Python package (PEP 517 and 660): CMake builds, this packs.

A wheel is made of what `cmake --install --component python` puts down. The build folder is build/python, or
the one that the environment variable TRAMMEL_BUILD_DIR names; in one that exists, only what changed is built.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NAME = "trammel"


def version():
    """That of the CMake project, so that there is one."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(trammel VERSION ([\d.]+)", text).group(1)


def build_folder():
    return Path(os.environ.get("TRAMMEL_BUILD_DIR", ROOT / "build" / "python")).resolve()


def compile_module():
    """Configures and builds; returns the build folder."""
    folder = build_folder()
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder)]
    if not (folder / "CMakeCache.txt").exists():
        configure += ["-DCMAKE_BUILD_TYPE=Release", "-DTRAMMEL_TESTS=OFF"]
        if shutil.which("ninja"):
            configure += ["-G", "Ninja"]
    python = interpreter()
    configure += ["-DTRAMMEL_PYTHON=ON", f"-DPython_EXECUTABLE={python}"]
    subprocess.run(configure, check=True)
    if not built_for_python(folder):
        sys.exit("trammel: pybind11 or the headers of Python are missing; on Debian and Ubuntu install "
                 "pybind11-dev and python3-dev")
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    target = ["--target", "trammel_python", "--parallel", jobs]
    subprocess.run(["cmake", "--build", str(folder), *target], check=True)
    return folder


def interpreter():
    """The Python to build for: the one that a virtual environment lies on, as it has the headers."""
    return getattr(sys, "_base_executable", None) or sys.executable


def built_for_python(folder):
    ask = ["cmake", "--build", str(folder), "--target", "help"]
    return "trammel_python" in subprocess.run(ask, capture_output=True, text=True).stdout


def metadata():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version()}\n"
            "Summary: Kinematics and dynamics of multibody systems with arbitrary connections\n"
            "License: Apache-2.0\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
            "Provides-Extra: plot\nRequires-Dist: matplotlib; extra == 'plot'\n"
            "Provides-Extra: xarray\nRequires-Dist: xarray; extra == 'xarray'\n"
            f"Description-Content-Type: text/markdown\n\n{readme}")


def tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def write_wheel(folder, files):
    """`files`: archive names with their bytes. Returns the name of the wheel."""
    information = f"{NAME}-{version()}.dist-info"
    files = dict(files)
    files[f"{information}/METADATA"] = metadata().encode()
    files[f"{information}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: trammel_build\nRoot-Is-Purelib: false\n"
                                     f"Tag: {tag()}\n").encode()
    files[f"{information}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}")
    record.append(f"{information}/RECORD,,")
    files[f"{information}/RECORD"] = ("\n".join(record) + "\n").encode()
    wheel = f"{NAME}-{version()}-{tag()}.whl"
    with zipfile.ZipFile(Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = compile_module()
    with tempfile.TemporaryDirectory() as stage:
        install = ["cmake", "--install", str(folder), "--component", "python", "--prefix", stage, "--strip"]
        subprocess.run(install, check=True)
        files = {path.relative_to(stage).as_posix(): path.read_bytes()
                 for path in sorted(Path(stage).rglob("*")) if path.is_file()}
    return write_wheel(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package as it lies in the build folder; building again is enough to renew it."""
    folder = compile_module()
    return write_wheel(wheel_directory, {f"{NAME}.pth": f"{folder / 'python'}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    """The files of the repository, as git knows them, with the viewer if it was built."""
    ask = ["git", "-C", str(ROOT), "ls-files", "-z"]
    listing = subprocess.run(ask, capture_output=True, check=True).stdout
    names = [name for name in listing.decode().split("\0") if name]
    names += [name for name in ("viewer/dist/viewer.js",) if (ROOT / name).exists() and name not in names]
    base = f"{NAME}-{version()}"
    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in names:
            if (ROOT / name).is_file():
                archive.add(ROOT / name, f"{base}/{name}")
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as information:
            information.write(metadata())
            information.flush()
            archive.add(information.name, f"{base}/PKG-INFO")
    return f"{base}.tar.gz"
