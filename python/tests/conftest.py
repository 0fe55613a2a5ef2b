# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Cryptosystems of toy size that the tests share: nothing is secret in them."""

import pathlib

import numpy as np
import pytest

import heliodor

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
T = 65537
TOY = heliodor.SecurityLevel.none


class Integers:
    """BGV or BFV with all keys, and random slots to compute on."""

    def __init__(self, scheme, target="cpu", t=T, depth=2):
        self.t = t
        self.parameters = scheme.Parameters.for_depth(t=t, depth=depth, summands=4, security=TOY)
        self.context = scheme.Context(self.parameters, target)
        self.degree = self.parameters.degree
        keys = heliodor.KeyGenerator(self.context, test_seed=1)
        self.secret = keys.secret_key()
        self.public = keys.public_key(self.secret)
        self.relinearization = keys.relinearization_keys(self.secret)
        self.galois = keys.galois_keys(
            self.secret, rotations=[1, -3], conjugation=True, inner_sums=[self.degree]
        )
        self.encryptor = scheme.Encryptor(self.context, self.public, test_seed=2)
        self.decryptor = scheme.Decryptor(self.context, self.secret)
        self.evaluator = scheme.Evaluator(self.context, self.relinearization, self.galois)
        random = np.random.default_rng(3)
        self.a, self.b = random.integers(0, t, (2, self.degree))
        self.x, self.y = None, None
        if (t - 1) % (2 * self.degree) == 0:
            self.x, self.y = self.encryptor.encrypt(self.a), self.encryptor.encrypt(self.b)

    def decrypt(self, ciphertext):
        return self.decryptor.decrypt(ciphertext)


@pytest.fixture(scope="module", params=[heliodor.bgv, heliodor.bfv], ids=["bgv", "bfv"])
def integers(request):
    return Integers(request.param)


class Numbers:
    """CKKS with all keys, and random slots to compute on."""

    def __init__(self, target="cpu", depth=2):
        self.parameters = heliodor.ckks.Parameters.for_depth(depth=depth, security=TOY)
        self.context = heliodor.ckks.Context(self.parameters, target)
        keys = heliodor.KeyGenerator(self.context, test_seed=1)
        self.secret = keys.secret_key()
        self.public = keys.public_key(self.secret)
        self.relinearization = keys.relinearization_keys(self.secret)
        self.galois = keys.galois_keys(
            self.secret, rotations=[1, -3], conjugation=True, inner_sums=[16]
        )
        self.encryptor = heliodor.ckks.Encryptor(self.context, self.public, test_seed=2)
        self.decryptor = heliodor.ckks.Decryptor(self.context, self.secret)
        self.evaluator = heliodor.ckks.Evaluator(
            self.context, self.relinearization, self.galois
        )
        random = np.random.default_rng(3)
        parts = random.uniform(-0.7, 0.7, (2, 2, 16))
        self.a, self.b = parts[:, 0] + 1j * parts[:, 1]
        self.x, self.y = self.encryptor.encrypt(self.a), self.encryptor.encrypt(self.b)

    def error(self, ciphertext, expected):
        """How far the farthest slot is off."""
        return np.abs(self.decryptor.decrypt(ciphertext) - expected).max()


@pytest.fixture(scope="module")
def numbers():
    return Numbers()
