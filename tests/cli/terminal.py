"""Runs a command at a pseudo-terminal of a given width, and passes keys and text on through pipes."""
import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(command[0], command)

sources = [0, terminal]
while terminal in sources:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b""
        if not data:
            sources.remove(source)
        else:
            os.write(terminal if source == 0 else 1, data)

sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) % 256)
