"""The pytest plugin: a server for the run, and a world for each test on a clock that the test moves."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shlex
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from .errors import ApiError
from .launch import START_SECONDS, Launch, Run, server_of_run
from .receiver import Receiver
from .report import report_of, report_of_receiver
from .server import Server
from .world import World

_RUN = pytest.StashKey[Run]()
_NAME_LENGTH = 55

# The name of each option, which is an entry of the configuration file too, and what it is.
_OPTIONS = {
    "ringback_url": "the address of a running server (also RINGBACK_URL); none is started then",
    "ringback_token": "its control token, if it has one (also RINGBACK_CONTROL_TOKEN)",
    "ringback_command": "the command that starts a server (also PYTEST_RINGBACK_COMMAND); npx ringback by default",
    "ringback_image": "the image of which a container is started with docker (also PYTEST_RINGBACK_IMAGE)",
    "ringback_args": "further flags of a server that is started, such as --scenarios ringback/scenarios",
    "ringback_receiver_host": "the name by which the server reaches receivers in this process; 127.0.0.1 by default",
    "ringback_world_prefix": "what the names of worlds begin with, for several runs at once on one server",
    "ringback_start_timeout": f"how many seconds a server may take to start; {START_SECONDS:g} by default",
}
# The server refuses environment variables of its own prefix that it does not know.
_ENVIRONMENT = {
    "ringback_url": "RINGBACK_URL",
    "ringback_token": "RINGBACK_CONTROL_TOKEN",
    "ringback_command": "PYTEST_RINGBACK_COMMAND",
    "ringback_image": "PYTEST_RINGBACK_IMAGE",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ringback", "Ringback, the sandbox of the Voice Platform API")
    for name, about in _OPTIONS.items():
        group.addoption(f"--{name.replace('_', '-')}", dest=name, default=None, help=about)
        parser.addini(name, about, default="")
    group.addoption(
        "--ringback-keep-worlds",
        action="store_true",
        help="leave the world of each test on the server, to look at it afterwards",
    )


def _setting(config: pytest.Config, name: str) -> str | None:
    """Flag over environment over configuration file."""
    chosen = config.getoption(name) or os.environ.get(_ENVIRONMENT.get(name, "")) or config.getini(name)
    return cast(str, chosen) or None


def _url(config: pytest.Config) -> str | None:
    """A flag that says how to start a server outranks an address that is not a flag."""
    starts = config.getoption("ringback_command") or config.getoption("ringback_image")
    if starts and not config.getoption("ringback_url"):
        return None
    return _setting(config, "ringback_url")


def _launch(config: pytest.Config) -> Launch:
    image = _setting(config, "ringback_image")
    command = _setting(config, "ringback_command")
    if image and command:
        # A flag speaks for this run, and outranks what is configured otherwise.
        if config.getoption("ringback_command"):
            image = None
        elif config.getoption("ringback_image"):
            command = None
        else:
            raise pytest.UsageError("ringback_command and ringback_image are both set: set one of them")
    return Launch(
        command=shlex.split(command or ""),
        image=image,
        arguments=shlex.split(_setting(config, "ringback_args") or ""),
        # Paths in the configuration file are about its folder, wherever pytest is run.
        folder=str(config.rootpath),
        token=_setting(config, "ringback_token"),
        start_seconds=float(_setting(config, "ringback_start_timeout") or START_SECONDS),
    )


# The first process of a run owns its server; workers of xdist learn from it where the run has its folder.


def _worker_input(config: pytest.Config) -> dict[str, Any] | None:
    return getattr(config, "workerinput", None)


def _own_run(config: pytest.Config) -> Run:
    run = config.stash.get(_RUN, None)
    if run is None:
        run = config.stash[_RUN] = Run()
    return run


class _ForWorkers:
    """Hooks that only xdist knows."""

    def pytest_configure_node(self, node: Any) -> None:
        run = _own_run(node.config)
        node.workerinput["ringback_run"] = (str(run.folder), *run.address)
        node.workerinput["ringback_each"] = node.config.getoption("dist", "no") == "each"


def pytest_configure(config: pytest.Config) -> None:
    if config.pluginmanager.hasplugin("xdist") and _worker_input(config) is None:
        config.pluginmanager.register(_ForWorkers(), "ringback-for-workers")


def pytest_unconfigure(config: pytest.Config) -> None:
    run = config.stash.get(_RUN, None)
    if run is not None:
        run.close()


def _run_of(config: pytest.Config) -> tuple[Path, tuple[str, int]]:
    given = (_worker_input(config) or {}).get("ringback_run")
    # A worker on another machine has a server of its own.
    if given is not None and Path(given[0]).is_dir():
        folder, host, port = given
        return Path(folder), (host, port)
    run = _own_run(config)
    return run.folder, run.address


@pytest.fixture(scope="session")
def ringback_server(pytestconfig: pytest.Config) -> Iterator[Server]:
    """The server: one that runs, or one that this run starts and that all its workers share."""
    url = _url(pytestconfig)
    if url is None:
        server = server_of_run(*_run_of(pytestconfig), _launch(pytestconfig))
    else:
        server = Server(url, _setting(pytestconfig, "ringback_token"))
        server.wait_until_ready("10s")
    server.receiver_host = _setting(pytestconfig, "ringback_receiver_host") or server.receiver_host
    yield server
    server.close()


def world_name(node_id: str, prefix: str = "") -> str:
    """A name that the test is found by, and that no other test has, whatever its file and its parameters."""
    test = re.sub(r"[^A-Za-z0-9_-]+", "_", node_id.rpartition("::")[2]).strip("_")
    room = _NAME_LENGTH - len(prefix)
    return f"{prefix}{test[:room]}-{hashlib.sha256(node_id.encode()).hexdigest()[:8]}"


@pytest.fixture
def ringback(request: pytest.FixtureRequest, pytestconfig: pytest.Config, ringback_server: Server) -> Iterator[World]:
    """A world of this test alone, named after it, on a clock that stands until it is advanced."""
    worker = _worker_input(pytestconfig) or {}
    # With `--dist each`, every worker runs every test.
    node_id = request.node.nodeid + (f"@{worker['workerid']}" if worker.get("ringback_each") else "")
    name = world_name(node_id, _setting(pytestconfig, "ringback_world_prefix") or "")
    world = _fresh_world(ringback_server, name)
    yield world
    try:
        if not pytestconfig.getoption("ringback_keep_worlds"):
            with contextlib.suppress(ApiError):
                world.delete()
    finally:
        world.close()


def _fresh_world(server: Server, name: str) -> World:
    """A world as its fixture says, also where an earlier run has left one of that name."""
    try:
        return server.create_world(name, clock="manual")
    except ApiError as error:
        if error.code != "conflict":
            raise
    server.delete_world(name)
    return server.create_world(name, clock="manual")


@pytest.fixture
def make_ringback_receiver(ringback_server: Server) -> Iterator[Callable[..., Receiver]]:
    """Makes receivers that the server can reach, for tests that need more than one."""
    made: list[Receiver] = []

    def make(**options: Any) -> Receiver:
        away = ringback_server.receiver_host
        where = {} if away is None else {"host": "0.0.0.0", "public_host": away}
        made.append(Receiver(**{**where, **options}))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def ringback_receiver(make_ringback_receiver: Callable[..., Receiver]) -> Receiver:
    """A webhook receiver on a free port: `ringback.subscribe(ringback_receiver, "call_busy")`."""
    return make_ringback_receiver()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds what the world and the receiver have seen to the report of a failed test."""
    report = yield
    if report.failed and report.when != "teardown":
        for value in getattr(item, "funcargs", {}).values():
            if isinstance(value, World):
                report.sections.append((f"Ringback: {value.name}", report_of(value)))
            elif isinstance(value, Receiver):
                report.sections.append(("Ringback: receiver", report_of_receiver(value)))
    return report
