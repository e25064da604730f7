"""The package as it is built and installed."""

import base64
import csv
import hashlib
import importlib.util
import tarfile
import zipfile
from pathlib import Path

import pytest

import trammel as tr


@pytest.fixture
def backend():
    path = "python/build_backend/trammel_build.py"
    specification = importlib.util.spec_from_file_location("trammel_build", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_version_is_that_of_the_library(backend):
    assert backend.version() == tr.__version__


def test_wheel_says_what_it_holds(backend, tmp_path):
    name = backend.write_wheel(tmp_path, {"trammel/__init__.py": b"x = 1\n", "trammel/py.typed": b""})
    assert name.startswith(f"trammel-{tr.__version__}-cp3") and name.endswith(".whl")
    with zipfile.ZipFile(tmp_path / name) as wheel:
        files = {each: wheel.read(each) for each in wheel.namelist()}
    information = f"trammel-{tr.__version__}.dist-info"
    assert b"Name: trammel\n" in files[f"{information}/METADATA"]
    listed = {row[0]: row[1] for row in csv.reader(files[f"{information}/RECORD"].decode().splitlines())}
    assert listed.keys() == files.keys()
    for path, digest in listed.items():
        if digest:
            found = base64.urlsafe_b64encode(hashlib.sha256(files[path]).digest()).rstrip(b"=").decode()
            assert digest == f"sha256={found}"


def test_source_archive_holds_what_a_build_needs(backend, tmp_path):
    if not Path(".git").exists():
        pytest.skip("no git repository")
    name = backend.build_sdist(tmp_path)
    with tarfile.open(tmp_path / name) as archive:
        files = set(archive.getnames())
    base = name[:-len(".tar.gz")]
    for path in ("CMakeLists.txt", "pyproject.toml", "PKG-INFO", "src/trammel/CMakeLists.txt",
                 "python/CMakeLists.txt", "python/build_backend/trammel_build.py",
                 "python/trammel/__init__.py"):
        assert f"{base}/{path}" in files


def test_types_come_with_the_package():
    folder = Path(tr.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_core.pyi").read_text()
    functions = [name for name in dir(tr._core) if not name.startswith("_")]
    assert [name for name in functions if name not in stub] == []
