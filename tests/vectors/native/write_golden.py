#!/usr/bin/env python3
# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes the golden containers of this folder from docs/reference/formats.md alone.

Shares no code with the library, whose writer must give the same bytes. Limb (part, i) of an object has at place k
the value (31*part + 17*i + k + 1)^7 modulo its modulus.
"""

import json
import pathlib
import struct

MASK = (1 << 64) - 1
P1, P2, P3, P4, P5 = (
    11400714785074694791,
    14029467366897019727,
    1609587929392839161,
    9650029242287828579,
    2870177450012600261,
)


def rotl(x, r):
    return (x << r | x >> (64 - r)) & MASK


def xxh64(data):
    """XXH64 with seed 0, after its specification."""

    def mix(acc, word):
        return rotl((acc + word * P2) & MASK, 31) * P1 & MASK

    at, size = 0, len(data)
    if size >= 32:
        lanes = [(P1 + P2) & MASK, P2, 0, -P1 & MASK]
        while at + 32 <= size:
            words = struct.unpack_from("<4Q", data, at)
            lanes = [mix(lane, word) for lane, word in zip(lanes, words)]
            at += 32
        h = sum(rotl(lane, r) for lane, r in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            h = ((h ^ mix(0, lane)) * P1 + P4) & MASK
    else:
        h = P5
    h = (h + size) & MASK
    while at + 8 <= size:
        h = (rotl(h ^ mix(0, struct.unpack_from("<Q", data, at)[0]), 27) * P1 + P4) & MASK
        at += 8
    if at + 4 <= size:
        h = (rotl(h ^ struct.unpack_from("<I", data, at)[0] * P1 & MASK, 23) * P2 + P3) & MASK
        at += 4
    for byte in data[at:]:
        h = rotl(h ^ byte * P5 & MASK, 11) * P1 & MASK
    h = (h ^ h >> 33) * P2 & MASK
    h = (h ^ h >> 29) * P3 & MASK
    return h ^ h >> 32


DEGREE = 16
Q = (97, 1152921504606845473)
P = (257,)


def smallest_root(q):
    """The smallest primitive 2N-th root modulo q."""
    generator = 2
    while pow(generator, (q - 1) // 2, q) != q - 1:
        generator += 1
    root = pow(generator, (q - 1) // (2 * DEGREE), q)
    return min(pow(root, e, q) for e in range(1, 2 * DEGREE, 2))


def padded(size):
    return (size + 63) // 64 * 64


def container(sections):
    """sections: (kind, optional, bytes)."""
    table, body = b"", b""
    start = padded(64 + 32 * len(sections))
    for kind, optional, data in sections:
        table += struct.pack("<IIQQQ", kind, optional, start + len(body), len(data), xxh64(data))
        body += data.ljust(padded(len(data)), b"\0")
    head = b"\x89HLD\r\n\x1a\n" + struct.pack(
        "<HHIIIQ", 1, 0, 0x01020304, len(sections), 0, start + len(body)
    )
    head = head.ljust(56, b"\0")
    head += struct.pack("<Q", xxh64(head + table))
    return (head + table).ljust(start, b"\0") + body


def text(tree):
    return (json.dumps(tree, indent=1) + "\n").encode()


def limb(q, part, i):
    values = [pow(31 * part + 17 * i + k + 1, 7, q) for k in range(DEGREE)]
    bits = q.bit_length()
    number = sum(value << (bits * k) for k, value in enumerate(values))
    return number.to_bytes((DEGREE * bits + 63) // 64 * 8, "little")


def limbs(parts, moduli):
    return b"".join(limb(q, part, i) for part in parts for i, q in enumerate(moduli))


def main():
    here = pathlib.Path(__file__).parent
    q = list(Q)
    qp = q + list(P)
    hybrid = {"digit_size": 1, "special_count": 1, "max_limb_count": 2}
    bv = {"digit_size": 1, "special_count": 0, "max_limb_count": 2}
    moduli = {m: {"modulus": m, "root": smallest_root(m)} for m in qp}
    parameters = text(
        {
            "degree": DEGREE,
            "q": [moduli[m] for m in q],
            "p": [moduli[m] for m in P],
            "gadgets": [hybrid, bv],
            "error_scale": 17,
            "lift": "fast",
            "sigma": 3.2,
        }
    )
    seed = struct.pack("<II", 1, 0) + bytes(range(32))
    ternary = sum(((k * k + 1) % 3) << 2 * k for k in range(DEGREE)).to_bytes(8, "little")
    keys = [
        (1, 0, parameters),
        (6, 0, struct.pack("<QQQQ", 7, 0, 0, 0)),
        (7, 1, b"golden keys"),
        (2, 0, text({"type": "secret_key"})),
        (5, 0, ternary),
        (2, 0, text({"type": "public_key"})),
        (3, 0, limbs([0], q)),
        (4, 0, seed),
        (2, 0, text({"type": "relinearization_key", "gadget": hybrid})),
        (3, 0, limbs([0, 1, 2, 3], qp)),
        (2, 0, text({"type": "relinearization_key", "gadget": bv})),
        (3, 0, limbs([0, 2], q)),
        (4, 0, seed),
        (2, 0, text({"type": "galois_key", "gadget": hybrid, "galois_element": 5})),
        (3, 0, limbs([0, 2], qp)),
        (4, 0, seed),
    ]
    (here / "keys.hld").write_bytes(container(keys))
    first = {
        "type": "ciphertext",
        "parts": 2,
        "limb_count": 2,
        "phase_log2": 20.5,
        "error_log2": "zero",
        "metadata": {"factor": 3, "scheme": "bgv"},
    }
    second = {
        "type": "ciphertext",
        "parts": 3,
        "limb_count": 1,
        "phase_log2": "unknown",
        "error_log2": "unknown",
        "metadata": {},
    }
    ciphertexts = [
        (1, 0, parameters),
        (2, 0, text(first)),
        (3, 0, limbs([0, 1], q)),
        (2, 0, text(second)),
        (3, 0, limbs([0, 1, 2], q[:1])),
        (8, 1, struct.pack("<Q", 3) + b"tag" + b"bytes of another library"),
    ]
    (here / "ciphertexts.hld").write_bytes(container(ciphertexts))


if __name__ == "__main__":
    main()
