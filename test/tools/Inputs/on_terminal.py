# on_terminal.py COMMAND...: runs a command on a terminal of its own, prints what it writes with
# control characters as text, and ends as it does.
import os
import pty
import sys

output = []


def read(fd):
    data = os.read(fd, 4096)
    output.append(data)
    return b"\0" if not data else data


stdout = os.dup(1)
null = os.open(os.devnull, os.O_WRONLY)
os.dup2(null, 1)
state = pty.spawn(sys.argv[1:], read, lambda fd: b"")
os.dup2(stdout, 1)
for line in b"".join(output).decode(errors="replace").replace("\r", "<CR>").split("\n"):
    print(line.replace("\033[K", "<CLEAR>"))
sys.exit(os.waitstatus_to_exitcode(state))
