# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""CKKS against NumPy's complex arithmetic: every slot within the bound that its ciphertext states."""

import numpy as np
import pytest
from conftest import Numbers

import heliodor


def test_sums_and_products_stay_within_their_stated_bounds(numbers):
    n, a, b, e = numbers, numbers.a, numbers.b, numbers.evaluator
    for result, expected in (
        (n.x, a),
        (e.add(n.x, n.y), a + b),
        (e.sub(n.x, n.y), a - b),
        (e.negate(n.x), -a),
        (e.multiply(n.x, n.y), a * b),
        (e.square(n.x), a * a),
        (e.multiply(e.multiply(n.x, n.y), n.x), a * b * a),
        (e.conjugate(n.x), a.conj()),
        (e.rotate(n.x, 1), np.roll(a, -1)),
        (e.rotate(n.x, [1, -3])[1], np.roll(a, 3)),
        (e.inner_sum(n.x), np.full(16, a.sum())),
        (e.inner_sum(n.x, 2), a + np.roll(a, -1)),
        (e.multiply([n.x, n.y], [n.y, n.y])[1], b * b),
    ):
        assert n.error(result, expected) <= result.slot_error_bound < 0.02


def test_plain_operands_are_real_complex_or_one_number(numbers):
    n, a, b, e = numbers, numbers.a, numbers.b, numbers.evaluator
    for operand in (b, b.real, list(b.imag), 0.25, 2, 1j):
        values = np.asarray(operand)
        for result, expected in (
            (e.add_plain(n.x, operand), a + values),
            (e.sub_plain(n.x, operand), a - values),
            (e.multiply_plain(n.x, operand), a * values),
        ):
            assert n.error(result, expected) <= result.slot_error_bound < 0.02


def test_reals_encrypt_to_complex_with_zero_imaginary_parts(numbers):
    n = numbers
    x = n.encryptor.encrypt([0.5, -1, 0.25])
    assert x.slots == 4
    assert n.error(x, [0.5, -1, 0.25, 0]) <= x.slot_error_bound
    assert n.decryptor.decrypt(x).dtype == np.complex128


def test_a_product_in_three_steps_is_the_product(numbers):
    n, e = numbers, numbers.evaluator
    product = e.multiply_without_relinearization(n.x, n.y)
    assert product.parts == 3
    assert product.scale == n.x.scale**2
    stepwise = e.rescale(e.relinearize(product))
    assert stepwise.parts == 2
    assert stepwise.limb_count == n.x.limb_count - 1
    assert n.error(stepwise, n.a * n.b) <= stepwise.slot_error_bound < 0.02


def test_a_lower_level_holds_the_same_values(numbers):
    n, e = numbers, numbers.evaluator
    lower = e.to_level(n.x, n.parameters.base_limbs)
    assert lower.limb_count == n.parameters.base_limbs
    assert n.error(lower, n.a) <= lower.slot_error_bound < 0.02


def test_a_promised_bound_replaces_a_worse_one(numbers):
    product = numbers.evaluator.multiply(numbers.x, numbers.y)
    assert product.assume_bound(1e-6).slot_error_bound < product.slot_error_bound


def test_values_above_the_bound_are_refused(numbers):
    with pytest.raises(heliodor.Error) as error:
        numbers.encryptor.encrypt([0.5, 1.5])
    assert error.value.code == "out_of_range"
    with pytest.raises(heliodor.Error):
        numbers.encryptor.encrypt([float("nan")])


def test_the_depth_of_the_parameters_is_the_end(numbers):
    x = numbers.x
    for _ in range(numbers.parameters.depth):
        x = numbers.evaluator.square(x)
    with pytest.raises(heliodor.Error) as error:
        numbers.evaluator.square(x)
    assert error.value.code == "out_of_range"


def test_all_targets_return_the_same_limbs():
    results = {}
    for name in ("reference", "cpu", "machine:tutorial"):
        n = Numbers(target=name)
        n.evaluator.force_key_switch(heliodor.KeySwitchMethod.hybrid)
        results[name] = n.evaluator.conjugate(n.evaluator.multiply(n.x, n.y)).limbs()
    assert np.array_equal(results["cpu"], results["reference"])
    assert np.array_equal(results["machine:tutorial"], results["reference"])
