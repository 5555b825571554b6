"""The pytest plugin: whole test runs of their own, as a user has them."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from ringback import Launch, ServerNotReady, start_server
from ringback.pytest_plugin import world_name

CALLS = """
    import pytest

    @pytest.mark.parametrize("to", ["+12125550101", "+12125550102", "+12125550103", "a b/c" * 30])
    @pytest.mark.parametrize("case", ["x", "X"])
    def test_calls(ringback, to, case):
        assert ringback.requests() == []
        body = {"from_number": "+14155550190", "to_number": to}
        ringback.api.post("/v1/calls/dial", json=body)
        ringback.clock.advance("60s")
        with open("seen.txt", "a") as seen:
            seen.write(f"{ringback.url} {ringback.name} {ringback.clock.state()['mode']}\\n")
"""


def processes(marker: str) -> list[str]:
    """The command lines that have it in an argument, but for those of test runs, which pass it on."""
    # Without -ww, ps cuts lines at COLUMNS even in a pipe.
    listed = subprocess.run(["ps", "-ww", "-eo", "args"], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if marker in line and "-m pytest" not in line]


def is_gone(marker: str, seconds: float = 20) -> bool:
    until = time.monotonic() + seconds
    while processes(marker) and time.monotonic() < until:
        time.sleep(0.05)
    return not processes(marker)


@pytest.fixture
def marker(request: pytest.FixtureRequest) -> str:
    """A seed that tells the servers of this test from all others."""
    return str(1_000_000 + int.from_bytes(request.node.name.encode(), "big") % 1_000_000_000)


def run(pytester: pytest.Pytester, command: str, marker: str, *more: str) -> pytest.RunResult:
    options = [f"--ringback-command={command}", f"--ringback-args=--seed {marker}"]
    return pytester.runpytest_subprocess(*options, "-p", "no:cacheprovider", *more)


def seen(pytester: pytest.Pytester) -> list[list[str]]:
    return [line.split() for line in (pytester.path / "seen.txt").read_text().splitlines()]


def test_workers_share_a_server_and_each_test_has_a_world(pytester: pytest.Pytester, command: str, marker: str) -> None:
    pytester.makepyfile(test_a=CALLS, test_b=CALLS)
    run(pytester, command, marker, "-n", "4").assert_outcomes(passed=16)
    urls, worlds, modes = zip(*seen(pytester), strict=True)
    assert len(set(urls)) == 1
    assert len({each.lower() for each in worlds}) == 16
    assert set(modes) == {"manual"}
    assert all(re.fullmatch(r"test_calls_[A-Za-z0-9_-]{1,53}", each) for each in worlds)
    assert processes(marker) == []


def test_every_worker_has_worlds_of_its_own_where_each_runs_every_test(
    pytester: pytest.Pytester, command: str, marker: str
) -> None:
    pytester.makepyfile(CALLS)
    run(pytester, command, marker, "--dist", "each", "--tx", "2*popen").assert_outcomes(passed=16)
    assert len({world for _, world, _ in seen(pytester)}) == 16


def test_names_of_worlds_repeat_and_say_which_test_it_is() -> None:
    name = world_name("tests/test_a.py::TestCalls::test_busy[+1 212]")
    assert re.fullmatch(r"test_busy_1_212-[0-9a-f]{8}", name)
    assert name == world_name("tests/test_a.py::TestCalls::test_busy[+1 212]")
    assert name != world_name("tests/test_b.py::TestCalls::test_busy[+1 212]")
    assert len(world_name("a.py::" + "é" * 99 + "x" * 99, "ci-42-")) == 64
    assert re.fullmatch(r"ci-[0-9a-f]{9}", world_name("a.py::é", "ci").replace("ci-", "ci-0"))


def test_a_failed_test_shows_requests_deliveries_and_timelines(
    pytester: pytest.Pytester, command: str, marker: str
) -> None:
    pytester.makepyfile("""
        def test_busy(ringback, ringback_receiver):
            ringback.subscribe(ringback_receiver, "call_busy")
            ringback_receiver.respond(500)
            body = {"from_number": "+14155550190", "to_number": "+12125550101"}
            ringback.api.post("/v1/calls/dial", json=body)
            ringback.clock.advance("10s")
            assert False

        def test_passes(ringback):
            pass
    """)
    result = run(pytester, command, marker, "-n", "1")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(
        [
            "*Ringback: test_busy-*",
            "world test_busy-* at http://127.0.0.1:*, key svc_test_test_busy-*, its time 2026-01-05T15:00:10.000Z",
            "requests:",
            "*POST /v1/calls/dial -> 202, busy",
            "deliveries:",
            "*call_busy to http://127.0.0.1:*/call_busy: failed, answered 500, http_status*",
            "timeline of call *: BUSY",
            "*step *call QUEUED -> BUSY (busy)*",
            "received at http://127.0.0.1:*",
            '*<POST /call_busy: {"id":*',
        ]
    )
    result.stdout.no_fnmatch_line("*Ringback: test_passes*")


def test_a_world_that_is_gone_leaves_the_failure_readable(pytester: pytest.Pytester, command: str, marker: str) -> None:
    pytester.makepyfile("""
        def test_gone(ringback):
            ringback.control.url = "http://127.0.0.1:9"
            ringback.control._client.base_url = "http://127.0.0.1:9"
            assert "as expected" == ""
    """)
    result = run(pytester, command, marker)
    result.stdout.fnmatch_lines(["*assert 'as expected' == ''*", "world test_gone-*has no answer*"])


def test_the_world_of_a_test_is_deleted_unless_it_is_to_be_kept(
    pytester: pytest.Pytester, command: str, marker: str
) -> None:
    pytester.makepyfile("""
        def test_first(ringback):
            pass

        def test_second(ringback_server):
            kept = [each["name"] for each in ringback_server.worlds() if each["name"].startswith("test_first")]
            print("kept", len(kept))
    """)
    run(pytester, command, marker, "-s").stdout.fnmatch_lines(["*kept 0*"])
    run(pytester, command, marker, "-s", "--ringback-keep-worlds").stdout.fnmatch_lines(["*kept 1*"])


def test_a_server_that_runs_is_used_and_left_alone(pytester: pytest.Pytester, command: str) -> None:
    pytester.makepyfile("""
        def test_it(ringback, ringback_receiver):
            ringback.subscribe(ringback_receiver, "call_busy")
            ringback.emit("call_busy")
            ringback.clock.advance("1s")
            assert ringback_receiver.next("call_busy")
            print("at", ringback.url)
    """)
    with start_server(Launch(command.split(), token="open-sesame")) as server:
        options = [f"--ringback-url={server.url}", "--ringback-token=open-sesame", "--ringback-world-prefix=ci-7-"]
        for _ in range(2):
            result = pytester.runpytest_subprocess("-s", "--ringback-keep-worlds", *options)
            result.stdout.fnmatch_lines([f"*at {server.url}*"])
        assert [each["name"] for each in server.worlds() if each["name"].startswith("ci-7-test_it-")]
        result = pytester.runpytest_subprocess(options[0], "--ringback-token=wrong")
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(["*was answered 401 unauthorized*"])


def test_a_server_that_does_not_start_says_why(pytester: pytest.Pytester, command: str, marker: str) -> None:
    pytester.makepyfile("def test_it(ringback): pass")
    result = run(pytester, command, marker, "--ringback-args=--clock fast", "-n", "2")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*the server ended with exit code 2 before it was ready: node *--clock fast*", "*fast*must be*"]
    )
    result = run(pytester, "no-such-program", marker)
    result.stdout.fnmatch_lines(["*the server cannot be run: *no-such-program*", "*--ringback-url or RINGBACK_URL*"])
    result = run(pytester, "sleep 60 #", marker, "--ringback-start-timeout=0.2")
    result.stdout.fnmatch_lines(["*the server *: sleep 60 *"])


def test_a_process_that_is_never_ready_is_stopped() -> None:
    script = "import time; print('starting up', flush=True); time.sleep(77123)"
    with pytest.raises(ServerNotReady, match=r"was not ready within 0.5 s(?s:.*)starting up"):  # noqa: SIM117
        with start_server(Launch([sys.executable, "-c", script], start_seconds=0.5)):
            pass
    assert is_gone("sleep(77123)")


def test_a_run_without_a_need_for_a_server_starts_none(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(): pass")
    pytester.runpytest_subprocess("--ringback-command=no-such-program", "-n", "2").assert_outcomes(passed=1)


SLOW = """
    import time, pathlib, pytest

    @pytest.mark.parametrize("n", range(4))
    def test_slow(ringback, n):
        pathlib.Path(f"running-{n}").touch()
        time.sleep(60)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "workers"])
def test_however_a_run_ends_no_server_stays(
    pytester: pytest.Pytester, command: str, marker: str, how: signal.Signals, workers: list[str]
) -> None:
    pytester.makepyfile(SLOW)
    options = [f"--ringback-command={command}", f"--ringback-args=--seed {marker}", *workers]
    folder = pytester.mkdir("temporary")
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options],
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        env=os.environ | {"TMPDIR": str(folder)},
        # A shell has its background processes ignore SIGINT, and theirs too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        until = time.monotonic() + 60
        while not list(Path(pytester.path).glob("running-*")) and time.monotonic() < until:
            time.sleep(0.05)
        assert processes(marker)
        if how is signal.SIGINT:
            # Ctrl-C is for the whole group.
            os.killpg(process.pid, how)
        else:
            process.send_signal(how)
        process.wait(30)
        assert is_gone(marker)
        until = time.monotonic() + 10
        while list(folder.glob("ringback-*")) and time.monotonic() < until:
            time.sleep(0.05)
        assert list(folder.glob("ringback-*")) == []
    finally:
        # Workers whose controller was killed wait for the end of their test.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_worker_that_crashes_takes_no_server_with_it(pytester: pytest.Pytester, command: str, marker: str) -> None:
    pytester.makepyfile("""
        import os, pytest

        @pytest.mark.parametrize("n", range(6))
        def test_it(ringback, n):
            with open("seen.txt", "a") as seen:
                seen.write(ringback.url + "\\n")
            if n == 0:
                os._exit(1)
    """)
    run(pytester, command, marker, "-n", "2").assert_outcomes(passed=5, failed=1)
    assert len(set(map(tuple, seen(pytester)))) == 1
    assert is_gone(marker)


DOCKER = """
    #!/usr/bin/env python3
    # Stands in for docker: a "container" is the server itself, on a port of this machine.
    import os, pathlib, subprocess, sys
    here = pathlib.Path(__file__).parent
    command, *rest = sys.argv[1:]
    if command == "run":
        (here / "run.txt").write_text(" ".join(rest))
        serve = rest[rest.index("serve"):]
        serve[serve.index("--port") + 1] = "{port}"
        os.execvp("node", ["node", {program!r}, *serve])
    if command == "port":
        print("127.0.0.1:{port}")
    if command == "rm":
        (here / "rm.txt").write_text(" ".join(rest))
"""


def free_port() -> int:
    """A port that the system gives to nobody by itself, so that it stays free until the server listens."""
    for port in range(20_000 + os.getpid() % 10_000, 32_000):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise OSError("no port below 32000 is free")


def test_a_container_of_an_image_is_started_reached_by_its_port_and_removed(
    pytester: pytest.Pytester, command: str, marker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = pytester.mkdir("bin")
    docker = folder / "docker"
    port = free_port()
    docker.write_text(textwrap.dedent(DOCKER).strip().format(port=port, program=command.split()[1]))
    docker.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    pytester.makepyfile("""
        def test_it(ringback, ringback_receiver):
            print("at", ringback.url, ringback_receiver.url)
    """)
    options = ["--ringback-image=ringback:test", f"--ringback-args=--seed {marker}", "-s"]
    result = pytester.runpytest_subprocess(*options)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"*at http://127.0.0.1:{port} http://host.docker.internal:*"])
    ran = (folder / "run.txt").read_text()
    assert re.match(
        r"--rm --init --name ringback-\w+ --publish 127.0.0.1:0:4747 --add-host .* ringback:test serve", ran
    )
    assert (folder / "rm.txt").read_text() == f"--force {ran.split()[3]}"
    assert is_gone(marker)


def test_a_command_and_an_image_cannot_both_be_configured(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(ringback): pass")
    pytester.makeini("[pytest]\nringback_image = ringback\nringback_command = npx ringback")
    pytester.runpytest_subprocess().stdout.fnmatch_lines(["*ringback_command and ringback_image are both set*"])


def test_a_flag_outranks_the_environment_and_that_the_configuration_file(
    pytester: pytest.Pytester, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile("def test_it(ringback): print('at', ringback.url)")
    pytester.makeini("[pytest]\nringback_url = http://127.0.0.1:9")
    with start_server(Launch(command.split())) as server:
        monkeypatch.setenv("RINGBACK_URL", server.url)
        pytester.runpytest_subprocess("-s").stdout.fnmatch_lines([f"*at {server.url}*"])
        other = pytester.runpytest_subprocess("-s", f"--ringback-command={command}")
        other.assert_outcomes(passed=1)
        other.stdout.no_fnmatch_line(f"*at {server.url}*")
