# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Parameters: chosen for a depth, or explicit; their security."""

import math

import pytest
from conftest import TOY

import heliodor
from heliodor import Gadget, RlweParameters, SecurityLevel, bfv, bgv, ckks


@pytest.mark.parametrize("scheme", [bgv, bfv])
def test_parameters_for_a_depth_reach_the_level_asked_for(scheme):
    for level in (SecurityLevel.bits128, SecurityLevel.bits256):
        p = scheme.Parameters.for_depth(t=65537, depth=2, security=level)
        assert p.security.value >= level.value
        assert p.rlwe.log_qp <= heliodor.max_log_qp(level, p.degree)
        assert p.t == 65537


def test_log_qp_is_that_of_all_moduli():
    p = bgv.Parameters.for_depth(t=65537, depth=3).rlwe
    assert p.log_qp == pytest.approx(sum(math.log2(q) for q in p.q + p.p))
    assert p.log_q == pytest.approx(sum(math.log2(q) for q in p.q))
    assert all((q - 1) % (2 * p.degree) == 0 for q in p.q + p.p)


def test_the_guidelines_limit_of_4096_is_106_bits():
    # Security Guidelines for Implementing Homomorphic Encryption (2024), table 5.2.
    assert heliodor.max_log_qp(SecurityLevel.bits128, 4096) == 106
    assert heliodor.max_log_qp(SecurityLevel.bits128, 4095) is None
    limit = heliodor.max_log_qp(SecurityLevel.bits128, 4096)
    assert heliodor.security_level(4096, limit) == SecurityLevel.bits128
    assert heliodor.security_level(4096, limit + 0.1) == SecurityLevel.none
    assert heliodor.security_level(4096, limit, sparse_secret=True) == SecurityLevel.none


def test_explicit_moduli_are_kept():
    q = heliodor.generate_primes(30, 1024, 3)
    p = heliodor.generate_primes(31, 1024, 1)
    gadgets = [Gadget(digit_size=1, special_count=1, max_limb_count=3), Gadget(1, 0, 3)]
    rlwe = RlweParameters(
        1024, q, p=p, gadgets=gadgets, sigma=3.19, secret_weight=64, security=TOY
    )
    scheme = bfv.Parameters(rlwe, t=257)
    for given in (rlwe, scheme.rlwe):
        assert (given.q, given.p, given.gadgets) == (q, p, gadgets)
        assert (given.sigma, given.secret_weight, given.error_scale) == (3.19, 64, 1)
    assert bgv.Parameters(rlwe, t=257).rlwe.error_scale == 257
    assert gadgets[0].digit_count(3) == 3
    assert ckks.Parameters(rlwe, scale=2.0**30).depth == 2


def test_insecure_parameters_must_be_asked_for():
    q = heliodor.generate_primes(30, 1024, 2)
    gadgets = [Gadget(1, 0, 2)]
    with pytest.raises(heliodor.Error) as error:
        RlweParameters(1024, q, gadgets=gadgets)
    assert error.value.code == "insecure"
    assert "none" in str(error.value)
    assert RlweParameters(1024, q, gadgets=gadgets, security=TOY).security == TOY


def test_chosen_moduli_have_the_sizes_asked_for():
    p = RlweParameters.choose(8192, [40, 30, 30], security=TOY)
    assert [q.bit_length() for q in p.q] == [40, 30, 30]
    assert p.gadgets


def test_primes_are_prime_and_distinct():
    primes = heliodor.generate_primes(20, 1024, 5)
    assert len(set(primes)) == 5
    for q in primes:
        assert q % 2048 == 1 and q.bit_length() == 20
        assert all(q % d for d in range(2, math.isqrt(q) + 1))
    assert not set(heliodor.generate_primes(20, 1024, 5, primes)) & set(primes)


def test_ckks_parameters_for_a_depth():
    p = ckks.Parameters.for_depth(depth=3, scale_bits=40)
    assert (p.depth, p.max_slots) == (3, p.degree // 2)
    assert p.limb_count == p.depth + p.base_limbs
    assert p.security.value >= SecurityLevel.bits128.value


def test_a_modulus_that_is_none_is_refused():
    with pytest.raises(heliodor.Error) as error:
        RlweParameters(1024, [12289 + 2], gadgets=[Gadget(1, 0, 1)], security=TOY)
    assert error.value.code == "invalid_modulus"
    with pytest.raises(heliodor.Error) as error:
        bgv.Parameters.for_depth(t=1, depth=1)
    assert error.value.code == "out_of_range"
