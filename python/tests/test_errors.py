# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors keep their codes; arrays of the wrong kind are type errors, not rounded."""

import pickle

import numpy as np
import pytest

import heliodor


def test_an_error_carries_its_code_and_both_values():
    with pytest.raises(heliodor.Error) as error:
        heliodor.generate_primes(61, 1024, 1)
    assert error.value.code == "out_of_range"
    assert "61" in str(error.value) and "60" in str(error.value)
    assert isinstance(error.value, RuntimeError)


def test_an_error_survives_pickling():
    error = pickle.loads(pickle.dumps(heliodor.Error("mismatch", "1 is not 2")))
    assert (error.code, str(error)) == ("mismatch", "1 is not 2")


def test_a_target_that_is_absent_is_unavailable():
    with pytest.raises(heliodor.Error) as error:
        heliodor.make_target("abacus")
    assert error.value.code == "unavailable"
    assert "abacus" in str(error.value) and "reference" in str(error.value)


def test_only_integers_are_integers(integers):
    for values in ([1.0], np.array([1.5]), np.array([1], dtype=np.uint64), ["1"], [2**70]):
        with pytest.raises(TypeError):
            integers.encryptor.encrypt(values)
    for dtype in (np.int8, np.uint8, np.int32, np.uint32, np.int64):
        x = integers.encryptor.encrypt(np.array([1, 2], dtype=dtype))
        assert list(integers.decrypt(x)[:2]) == [1, 2]


def test_arrays_that_do_not_fit_are_refused(integers):
    for values, code in (
        ([integers.t], "out_of_range"),
        ([-integers.t], "out_of_range"),
        ([0] * (integers.degree + 1), "out_of_range"),
        ([[1, 2]], "mismatch"),
    ):
        with pytest.raises(heliodor.Error) as error:
            integers.encryptor.encrypt(values)
        assert error.value.code == code


def test_no_values_are_zeros_or_none_at_all(integers, numbers):
    assert not integers.decrypt(integers.encryptor.encrypt([])).any()
    with pytest.raises(heliodor.Error) as error:
        numbers.encryptor.encrypt([])
    assert error.value.code == "out_of_range"


def test_strided_arrays_are_read_in_order(integers):
    values = np.arange(20)[::-2]
    x = integers.encryptor.encrypt(values)
    assert np.array_equal(integers.decrypt(x)[:10], values)
