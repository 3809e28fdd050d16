#!/usr/bin/env python3
"""Ends the console in every way and looks at what is left of the terminal.

usage: death.py FLIGHTDECK
For each way: the process is gone within a second, the line discipline is as before, the main screen is
back, the cursor shown, paste mode off. Prints a line a case; exit status 1 when one fails.
"""
import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

LEAVES = [b"\x1b[?1049l", b"\x1b[?2004l"]
SHOWS = [b"\x1b[?25h", b"\x1b[?12l\x1b[?25h", b"\x1b[34h\x1b[?25h"]
failed = False


class Console:
    def __init__(self, program, size=(24, 80), setsid=True, shell=False):
        self.dir = tempfile.mkdtemp(prefix="flightdeck-death-")
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        env = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8",
                   FLIGHTDECK_STATE_DIR=self.dir + "/profile", XDG_CONFIG_HOME=self.dir)
        os.mkdir(self.dir + "/profile", 0o700)

        def ready():
            os.setsid()
            if setsid:
                fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        # a shell with job control, that takes the console up again whenever it is stopped
        command = ["bash", "-c", 'set -m; "$0"; while fg >/dev/null 2>&1; do :; done', program]
        self.process = subprocess.Popen(command if shell else [program], stdin=self.slave, stdout=self.slave,
                                        stderr=self.slave, env=env, preexec_fn=ready)
        self.out = b""
        deadline = time.monotonic() + 20
        while b"Clusters" not in self.out and time.monotonic() < deadline:
            self.pump(0.05)
        self.pump(0.3)

    def pump(self, seconds):
        end = time.monotonic() + seconds
        while True:
            r, _, _ = select.select([self.master], [], [], max(0, min(0.05, end - time.monotonic())))
            if r:
                try:
                    self.out += os.read(self.master, 65536)
                except OSError:
                    return
            if time.monotonic() >= end:
                return

    def wait(self, seconds, read=True):
        """Seconds until it ended; None when it did not."""
        start = time.monotonic()
        while time.monotonic() - start < seconds:
            if self.process.poll() is not None:
                took = time.monotonic() - start
                if read:
                    self.pump(0.1)
                return took
            if read:
                self.pump(0.02)
            else:
                time.sleep(0.02)
        return None

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for fd in (self.master, self.slave):
            try:
                os.close(fd)
            except OSError:
                pass
        shutil.rmtree(self.dir, ignore_errors=True)


def check(name, console, took, limit, terminal=True, status=None):
    global failed
    problems = []
    if took is None:
        problems.append("still there")
    elif took > limit:
        problems.append("took %.2f s" % took)
    if terminal and took is not None:
        after = termios.tcgetattr(console.slave)
        if after != console.before:
            problems.append("line discipline differs")
        tail = console.out[-400:]
        for bytes_ in LEAVES:
            if bytes_ not in tail:
                problems.append("no %r at the end" % bytes_)
        if not any(b in tail for b in SHOWS):
            problems.append("the cursor stays hidden")
    if status is not None and took is not None and console.process.returncode not in status:
        problems.append("exit status %s" % console.process.returncode)
    print("%-28s %s%s" % (name, "%.2f s" % took if took is not None else "-",
                          "" if not problems else "   FAILED: " + ", ".join(problems)))
    failed |= bool(problems)


def by_signal(program, name, limit=1.3):
    sig = getattr(signal, name)
    c = Console(program)
    c.process.send_signal(sig)
    took = c.wait(5)
    # in order (128 + n), or by the signal itself where that is the honest end
    check(name, c, took, limit, status=(128 + sig, -sig))
    c.close()


def by_master_close(program):
    c = Console(program)
    os.close(c.master)
    took = c.wait(5, read=False)
    check("terminal vanishes", c, took, 1.3, terminal=False)
    c.close()


def by_master_close_without_control(program):
    c = Console(program, setsid=False)
    os.close(c.master)
    took = c.wait(5, read=False)
    check("vanishes, not controlling", c, took, 1.3, terminal=False)
    c.close()


def by_term_while_stuck(program):
    """Nobody reads the terminal any more: a write would block for ever."""
    c = Console(program, size=(200, 400))
    for _ in range(400):
        try:
            os.set_blocking(c.master, False)
            os.write(c.master, b"2\x0c3\x0c")
        except OSError:
            break
    time.sleep(1)
    c.process.send_signal(signal.SIGTERM)
    took = c.wait(5, read=False)
    check("SIGTERM while stuck", c, took, 1.6, terminal=False)
    c.close()


def by_quit(program):
    c = Console(program)
    os.write(c.master, b"q")
    took = c.wait(5)
    check("q", c, took, 2.5, status=(0,))
    c.close()


def by_ctrl_c(program):
    c = Console(program)
    os.write(c.master, b"\x03")
    c.pump(0.3)
    if c.process.poll() is not None:
        print("one ctrl-c ended it   FAILED")
        globals()["failed"] = True
    os.write(c.master, b"\x03")
    took = c.wait(5)
    check("ctrl-c twice", c, took, 2.5, status=(0,))
    c.close()


def by_stop_and_go(program):
    global failed
    c = Console(program, shell=True)
    c.out = b""
    os.write(c.master, b"\x1a")
    c.pump(2.0)
    problems = []
    left = c.out.find(b"\x1b[?1049l")
    if left < 0:
        problems.append("ctrl-z does not give the terminal back")
    elif b"\x1b[?1049h" not in c.out[left:] or b"Clusters" not in c.out[left:]:
        problems.append("no whole frame after it was taken up again")
    print("stop and go%s" % ("" if not problems else "   FAILED: " + ", ".join(problems)))
    failed |= bool(problems)
    os.write(c.master, b"q")
    check("q after that", c, c.wait(5), 2.5)
    c.close()


def idle(program):
    """Nothing changes: no bytes but the clock's, next to no CPU."""
    global failed
    c = Console(program)
    c.pump(1.0)
    c.out = b""

    def ticks():
        with open("/proc/%d/stat" % c.process.pid) as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    start = ticks()
    c.pump(5.0)
    used = ticks() - start
    bad = len(c.out) > 60 or used > 5
    print("idle for 5 s: %d bytes, %d ticks of CPU%s" % (len(c.out), used, "   FAILED" if bad else ""))
    failed |= bad
    c.close()


def main():
    program = sys.argv[1]
    for name in ("SIGHUP", "SIGTERM", "SIGINT", "SIGQUIT", "SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE"):
        by_signal(program, name)
    for case in (by_master_close, by_master_close_without_control, by_term_while_stuck, by_quit,
                 by_ctrl_c, by_stop_and_go, idle):
        case(program)
    sys.exit(1 if failed else 0)


main()
