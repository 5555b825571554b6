# Runs the server in a pseudo-terminal: `terminal.py (shown | stopped) NODE PROGRAM FLAG...`. `shown` dials a busy line
# and prints what the terminal got. `stopped` stops the terminal with Ctrl-S, and prints how many of 50 requests are
# answered meanwhile, and how many lines about them appear once it goes on.
import json
import os
import pty
import re
import select
import signal
import sys
import time
import urllib.request

PATIENCE = 100
mode, node, program, *flags = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(node, [node, program, "serve", "--port", "0", *flags])

output = ""
# Whatever proxy the environment names.
client = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def read_until(pattern):
    global output
    end = time.time() + PATIENCE
    while time.time() < end and not re.search(pattern, output, re.DOTALL):
        if select.select([terminal], [], [], 0.1)[0]:
            output += os.read(terminal, 65536).decode()


def ask(path, data=None, **headers):
    client.open(urllib.request.Request(url + path, data, headers), timeout=PATIENCE).read()


def shown():
    read_until(r"curl -s \S+/_sandbox/clock/advance")
    body = {"from_number": "+14155550190", "to_number": "+12125550101"}
    ask(
        "/v1/calls/dial",
        json.dumps(body).encode(),
        **{"Authorization": "Bearer svc_sandbox_default", "Content-Type": "application/json"},
    )
    read_until(r"/v1/calls/dial [^\n]* ms")
    return output


def stopped():
    os.write(terminal, b"\x13")
    time.sleep(0.2)
    answered = 0
    try:
        for _ in range(50):
            ask("/")
            answered += 1
    except OSError:
        pass
    os.write(terminal, b"\x11")
    if answered == 50:
        read_until(r"(GET / [^\n]*ms\s+){50}")
    return "%d %d\n" % (answered, len(re.findall(r"GET / ", output)))


try:
    read_until(r"API +http:\S+.*curl .*\n")
    url = re.search(r"API +(http:\S+)", output).group(1)
    sys.stdout.write(shown() if mode == "shown" else stopped())
finally:
    os.kill(pid, signal.SIGKILL)
