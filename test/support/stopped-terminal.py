# Runs the server in a pseudo-terminal that is stopped with Ctrl-S, and prints how many requests are answered meanwhile, and
# whether the lines about them appear once it goes on.
import os
import pty
import re
import select
import signal
import sys
import threading
import time
import urllib.request

pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], sys.argv[2], "serve", "--port", "0", "--rate-limit", "off"])

output = ""


def read_until(pattern):
    global output
    end = time.time() + 20
    while time.time() < end and not re.search(pattern, output):
        if select.select([terminal], [], [], 0.1)[0]:
            output += os.read(terminal, 65536).decode()


read_until(r"(?s)API +http:\S+.*curl .*\n")
url = re.search(r"API +(http:\S+)", output).group(1)
os.write(terminal, b"\x13")
time.sleep(0.2)
answered = 0
try:
    for _ in range(50):
        urllib.request.urlopen(urllib.request.Request(url + "/"), timeout=3).read()
        answered += 1
except OSError:
    pass
os.write(terminal, b"\x11")
read_until(r"(GET / .*ms\s+){%d}" % answered if answered == 50 else "$^")
shown = len(re.findall(r"GET / ", output))
os.kill(pid, signal.SIGKILL)
print(answered, shown)
