# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""BGV and BFV against NumPy's arithmetic on the slots."""

import numpy as np
import pytest
from conftest import TOY, Integers

import heliodor


def rows(slots):
    return slots.reshape(2, -1)


def test_sums_and_products_are_those_of_slots_modulo_t(integers):
    s, a, b, t = integers, integers.a, integers.b, integers.t
    e = s.evaluator
    assert np.array_equal(s.decrypt(e.add(s.x, s.y)), (a + b) % t)
    assert np.array_equal(s.decrypt(e.sub(s.x, s.y)), (a - b) % t)
    assert np.array_equal(s.decrypt(e.negate(s.x)), -a % t)
    assert np.array_equal(s.decrypt(e.multiply(s.x, s.y)), a * b % t)
    assert np.array_equal(s.decrypt(e.square(s.x)), a * a % t)
    assert np.array_equal(s.decrypt(e.multiply_scalar(s.x, -7)), -7 * a % t)


def test_plain_operands_are_arrays_or_plaintexts(integers):
    s, a, b, t = integers, integers.a, integers.b, integers.t
    for operand in (b, list(b), s.context.encode(b)):
        assert np.array_equal(s.decrypt(s.evaluator.add_plain(s.x, operand)), (a + b) % t)
        assert np.array_equal(s.decrypt(s.evaluator.sub_plain(s.x, operand)), (a - b) % t)
        assert np.array_equal(s.decrypt(s.evaluator.multiply_plain(s.x, operand)), a * b % t)


def test_missing_slots_are_zero_and_centred_slots_are_signed(integers):
    s = integers
    x = s.encryptor.encrypt([-1, 2, s.t // 2 + 1])
    expected = np.zeros(s.degree, dtype=np.int64)
    expected[:3] = [-1, 2, -(s.t // 2)]
    assert np.array_equal(s.decryptor.decrypt(x, centred=True), expected)
    assert np.array_equal(s.decryptor.decrypt(x), expected % s.t)


def test_rotations_move_both_rows_to_the_left(integers):
    s, e = integers, integers.evaluator
    rotated = e.rotate_rows(s.x, [1, -3])
    for steps, hoisted in zip([1, -3], rotated):
        single = e.rotate_rows(s.x, steps)
        assert np.array_equal(rows(s.decrypt(single)), np.roll(rows(s.a), -steps, axis=1))
        assert np.array_equal(s.decrypt(hoisted), s.decrypt(single))
    assert np.array_equal(rows(s.decrypt(e.rotate_columns(s.x))), rows(s.a)[::-1])


def test_inner_sums_are_cyclic_in_a_row_and_full_over_all_slots(integers):
    s, t = integers, integers.t
    expected = sum(np.roll(rows(s.a), -k, axis=1) for k in range(4)) % t
    assert np.array_equal(rows(s.decrypt(s.evaluator.inner_sum(s.x, 4))), expected)
    total = s.decrypt(s.evaluator.inner_sum(s.x, s.degree))
    assert np.array_equal(total, np.full(s.degree, s.a.sum() % t))


def test_a_batch_gives_the_limbs_of_its_pairs(integers):
    s, e = integers, integers.evaluator
    batch = e.multiply([s.x, s.y, s.x], [s.y, s.y, s.x])
    assert np.array_equal(s.decrypt(batch[0]), s.a * s.b % s.t)
    assert np.array_equal(s.decrypt(batch[1]), s.b * s.b % s.t)
    assert np.array_equal(s.decrypt(batch[2]), s.a * s.a % s.t)
    with pytest.raises(heliodor.Error) as error:
        e.multiply([s.x], [s.y, s.y])
    assert error.value.code == "mismatch"


def test_a_product_is_relinearized_in_a_step_of_its_own_too(integers):
    s, e = integers, integers.evaluator
    product = e.multiply_without_relinearization(s.x, s.y)
    assert product.parts == 3
    assert product.limbs().shape == (3, product.limb_count, s.degree)
    assert np.array_equal(s.decrypt(product), s.a * s.b % s.t)
    relinearized = e.relinearize(product)
    assert relinearized.parts == 2
    assert np.array_equal(s.decrypt(relinearized), s.a * s.b % s.t)


def test_mod_switch_drops_a_limb_and_keeps_the_slots(integers):
    s, e = integers, integers.evaluator
    switched = e.mod_switch(s.x)
    assert switched.limb_count == s.x.limb_count - 1
    assert switched.error_log2 < s.x.error_log2
    assert np.array_equal(s.decrypt(switched), s.a)
    assert e.mod_switch_to(s.x, 1).limb_count == 1


def test_encryption_under_the_secret_key_decrypts(integers):
    s = integers
    scheme = heliodor.bgv if s.context.scheme == "bgv" else heliodor.bfv
    encryptor = scheme.Encryptor(s.context, s.secret)
    assert np.array_equal(s.decrypt(encryptor.encrypt(s.b)), s.b)


@pytest.mark.parametrize("scheme", [heliodor.bgv, heliodor.bfv])
def test_coefficients_multiply_as_polynomials_for_a_t_without_slots(scheme):
    s = Integers(scheme, t=256)
    with pytest.raises(heliodor.Error) as error:
        s.context.encode([1])
    assert error.value.code == "invalid_modulus"
    a, b = s.a[:40], s.b[-40:]
    encode = s.context.encode_coefficients
    product = s.evaluator.multiply(
        s.encryptor.encrypt(encode(a)), s.encryptor.encrypt(encode(b))
    )
    coefficients = s.decryptor.decrypt_plaintext(product).coefficients
    expected = np.zeros(s.degree, dtype=np.int64)
    expected[:79] = np.convolve(a, b)
    assert np.array_equal(coefficients % 256, expected % 256)
    assert s.decryptor.decrypt_plaintext(product).t == 256


@pytest.mark.parametrize("scheme", [heliodor.bgv, heliodor.bfv])
def test_all_targets_return_the_same_limbs(scheme):
    results = {}
    for name in ("reference", "cpu", "machine:tutorial"):
        s = Integers(scheme, target=heliodor.make_target(name))
        # The method is the target's choice; forced, all compute the same.
        s.evaluator.force_key_switch(heliodor.KeySwitchMethod.hybrid)
        results[name] = s.evaluator.multiply(s.evaluator.rotate_rows(s.x, 1), s.y).limbs()
    assert np.array_equal(results["cpu"], results["reference"])
    assert np.array_equal(results["machine:tutorial"], results["reference"])


def test_klss_returns_the_limbs_of_hybrid(integers):
    s, limbs = integers, []
    for method in (heliodor.KeySwitchMethod.hybrid, heliodor.KeySwitchMethod.klss):
        s.evaluator.force_key_switch(method)
        limbs.append(s.evaluator.rotate_columns(s.x).limbs())
    s.evaluator.force_key_switch(None)
    assert np.array_equal(limbs[0], limbs[1])


def test_exact_matching_refuses_operands_that_differ(integers):
    s = integers
    scheme = heliodor.bgv if s.context.scheme == "bgv" else heliodor.bfv
    evaluator = scheme.Evaluator(s.context, matching=heliodor.Matching.exact)
    with pytest.raises(heliodor.Error) as error:
        evaluator.add(s.x, evaluator.mod_switch(s.y))
    assert error.value.code == "mismatch"
    assert np.array_equal(
        s.decrypt(s.evaluator.add(s.x, evaluator.mod_switch(s.y))), (s.a + s.b) % s.t
    )


def test_what_might_decrypt_wrongly_is_refused(integers):
    s, product = integers, integers.x
    with pytest.raises(heliodor.Error) as error:
        for _ in range(20):
            product = s.evaluator.multiply(product, product)
    assert error.value.code == "noise_overflow"


def test_an_operation_without_its_key_is_refused(integers):
    s = integers
    scheme = heliodor.bgv if s.context.scheme == "bgv" else heliodor.bfv
    evaluator = scheme.Evaluator(s.context)
    for operation in (evaluator.square, evaluator.rotate_columns):
        with pytest.raises(heliodor.Error) as error:
            operation(s.x)
        assert error.value.code == "missing_key"


def test_toy_parameters_say_that_nothing_is_secret(integers):
    assert integers.parameters.security == TOY
