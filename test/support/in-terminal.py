# Runs the server in a pseudo-terminal, dials a busy line, and prints what the terminal got.
import json
import os
import pty
import re
import select
import signal
import sys
import time
import urllib.request

pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], sys.argv[2], "serve", "--port", "0", "--clock", "manual"])

output = ""


def read_until(pattern):
    global output
    end = time.time() + 20
    while time.time() < end and not re.search(pattern, output):
        if select.select([terminal], [], [], 0.1)[0]:
            output += os.read(terminal, 65536).decode()


read_until(r"curl -s \S+/_sandbox/clock/advance")
url = re.search(r"API +(http:\S+)", output).group(1)
body = json.dumps({"from_number": "+14155550190", "to_number": "+12125550101"}).encode()
headers = {"Authorization": "Bearer svc_sandbox_default", "Content-Type": "application/json"}
urllib.request.urlopen(urllib.request.Request(url + "/v1/calls/dial", body, headers))
read_until(r"/v1/calls/dial .* ms")
os.kill(pid, signal.SIGKILL)
sys.stdout.write(output)
