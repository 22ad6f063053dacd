# SPDX-FileCopyrightText: The Dormer authors
# SPDX-License-Identifier: Apache-2.0
"""A screen, keyboard and mouse of a program under Qt's VNC platform plugin (RFB 3.3, RFC 6143)."""
import socket
import struct
import time
import zlib

# Of X11's keysymdef.h, by the names used here.
KEYS = {"Return": 0xFF0D, "Escape": 0xFF1B, "Tab": 0xFF09, "Down": 0xFF54, "Up": 0xFF52, "Home": 0xFF50, "End": 0xFF57,
        "Delete": 0xFFFF, "Ctrl": 0xFFE3, "Shift": 0xFFE1, "F8": 0xFFC5}
# Characters for which a keyboard needs Shift.
SHIFTED = set('~!@#$%^&*()_+{}|:"<>?ABCDEFGHIJKLMNOPQRSTUVWXYZ')


class Screen:
    """Connected to a server on this machine; waits until it listens, at most `wait` seconds."""

    def __init__(self, port, wait=30.0):
        until = time.monotonic() + wait
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
                break
            except ConnectionRefusedError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)
        self._read(12)  # the server's version; 3.3 is what all of them speak
        self._socket.sendall(b"RFB 003.003\n")
        security, = struct.unpack(">I", self._read(4))
        if security != 1:
            raise ConnectionError("the server wants a password")
        self._socket.sendall(b"\x01")
        self.width, self.height = struct.unpack(">HH", self._read(4))
        self._read(16)
        length, = struct.unpack(">I", self._read(4))
        self._read(length)
        # 32 bits a pixel, little-endian, red in the third byte; uncompressed.
        self._socket.sendall(struct.pack(">BxxxBBBBHHHBBBxxx", 0, 32, 24, 0, 1, 255, 255, 255, 16, 8, 0))
        self._socket.sendall(struct.pack(">BxHi", 2, 1, 0))
        self._pixels = bytearray(self.width * self.height * 4)

    def _read(self, count):
        parts = []
        while count > 0:
            part = self._socket.recv(count)
            if not part:
                raise ConnectionError("the program has closed its screen")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def pixels(self):
        """The whole screen as it is now: four bytes a pixel, blue first."""
        self._socket.sendall(struct.pack(">BBHHHH", 3, 0, 0, 0, self.width, self.height))
        while True:
            kind = self._read(1)[0]
            if kind == 0:
                break
            if kind == 3:  # the server's clipboard
                length, = struct.unpack(">xxxI", self._read(7))
                self._read(length)
            elif kind != 2:  # a bell
                raise ConnectionError(f"message {kind} is not known")
        rectangles, = struct.unpack(">xH", self._read(3))
        for _ in range(rectangles):
            x, y, width, height, encoding = struct.unpack(">HHHHi", self._read(12))
            if encoding != 0:
                raise ConnectionError(f"encoding {encoding} was not asked for")
            data = self._read(width * height * 4)
            for row in range(height):
                at = ((y + row) * self.width + x) * 4
                self._pixels[at:at + width * 4] = data[row * width * 4:(row + 1) * width * 4]
        return bytes(self._pixels)

    def save(self, path):
        """Writes the screen as a PNG and returns its pixels."""
        pixels = self.pixels()
        rows = bytearray()
        for y in range(self.height):
            line = pixels[y * self.width * 4:(y + 1) * self.width * 4]
            rgb = bytearray(self.width * 3)
            rgb[0::3], rgb[1::3], rgb[2::3] = line[2::4], line[1::4], line[0::4]
            rows += b"\0" + rgb

        def chunk(kind, data):
            body = kind + data
            return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 6)) +
                       chunk(b"IEND", b""))
        return pixels

    def _key(self, symbol, down):
        self._socket.sendall(struct.pack(">BBxxI", 4, down, symbol))

    def press(self, *names):
        """Presses keys together: press("Ctrl", "k")."""
        symbols = [KEYS.get(name, ord(name[0])) for name in names]
        for symbol in symbols:
            self._key(symbol, 1)
        for symbol in reversed(symbols):
            self._key(symbol, 0)
        time.sleep(0.05)

    def type(self, text):
        for character in text:
            names = ("Shift", character) if character in SHIFTED else (character,)
            symbols = [KEYS.get(name, ord(name[0])) if len(name) > 1 else ord(name) for name in names]
            for symbol in symbols:
                self._key(symbol, 1)
            for symbol in reversed(symbols):
                self._key(symbol, 0)
            time.sleep(0.01)

    def click(self, x, y):
        for buttons in (0, 1, 0):
            self._socket.sendall(struct.pack(">BBHH", 5, buttons, x, y))
            time.sleep(0.05)
