# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Keys and seeds: secrets do not show, test seeds repeat, others do not."""

import copy
import gc
import pickle
import re

import numpy as np
import pytest
from conftest import TOY

import heliodor
from heliodor import bgv


@pytest.fixture(scope="module")
def context():
    return bgv.Context(bgv.Parameters.for_depth(t=65537, depth=1, security=TOY))


def test_a_secret_key_shows_nothing(context):
    secret = heliodor.KeyGenerator(context).secret_key()
    assert repr(secret) == str(secret) == "<heliodor.SecretKey>"
    assert [name for name in dir(secret) if not name.startswith("_")] == []
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        copy.deepcopy(secret)
    with pytest.raises(TypeError):
        memoryview(secret)


def test_keys_show_no_words(context):
    keys = heliodor.KeyGenerator(context, test_seed=1)
    secret = keys.secret_key()
    for key in (
        keys.public_key(secret),
        keys.relinearization_keys(secret),
        keys.galois_keys(secret, rotations=[1]),
    ):
        assert not re.search(r"\d{2}", repr(key))


def test_a_test_seed_repeats_and_the_systems_randomness_does_not(context):
    def ciphertext(key_seed, seed):
        keys = heliodor.KeyGenerator(context, test_seed=key_seed)
        public = keys.public_key(keys.secret_key())
        return bgv.Encryptor(context, public, test_seed=seed).encrypt([1, 2]).limbs()

    assert np.array_equal(ciphertext(1, 2), ciphertext(1, 2))
    assert not np.array_equal(ciphertext(1, 2), ciphertext(1, 3))
    assert not np.array_equal(ciphertext(1, 2), ciphertext(2, 2))
    assert not np.array_equal(ciphertext(1, None), ciphertext(1, None))
    assert not np.array_equal(ciphertext(None, 2), ciphertext(None, 2))


def test_galois_elements_are_powers_of_five_and_minus_one(context):
    keys = heliodor.KeyGenerator(context, test_seed=1)
    modulus = 2 * context.degree
    galois = keys.galois_keys(
        keys.secret_key(), rotations=[3, -1], conjugation=True, inner_sums=[4]
    )
    expected = {pow(5, 3, modulus), pow(5, -1, modulus), modulus - 1, 5, 25}
    assert galois.elements == sorted(expected)


def test_a_key_of_other_parameters_is_refused(context):
    other = bgv.Context(bgv.Parameters.for_depth(t=257, depth=2, security=TOY))
    keys = heliodor.KeyGenerator(other, test_seed=1)
    with pytest.raises(heliodor.Error) as error:
        bgv.Encryptor(context, keys.public_key(keys.secret_key()))
    assert error.value.code == "out_of_range"
    assert "limb_count 3" in str(error.value) and "[1, 2]" in str(error.value)


def test_a_decryptor_keeps_its_key_alive(context):
    keys = heliodor.KeyGenerator(context, test_seed=1)
    secret = keys.secret_key()
    x = bgv.Encryptor(context, keys.public_key(secret)).encrypt([7])
    decryptor = bgv.Decryptor(context, secret)
    by_secret = bgv.Encryptor(context, secret)
    del secret
    gc.collect()
    assert decryptor.decrypt(x)[0] == 7
    assert decryptor.decrypt(by_secret.encrypt([8]))[0] == 8
