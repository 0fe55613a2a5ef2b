# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""LimbPrograms on NumPy arrays, on every target, against NumPy."""

import numpy as np
import pytest

import heliodor
from heliodor import LimbProgram

DEGREE = 64
Q = heliodor.generate_primes(30, DEGREE, 1)[0]


def smallest_root():
    """The smallest primitive 2N-th root modulo Q, which the text form has to name."""
    generator = next(
        root for g in range(2, Q) if pow(root := pow(g, (Q - 1) // (2 * DEGREE), Q), DEGREE, Q) != 1
    )
    return min(pow(generator, odd, Q) for odd in range(1, 2 * DEGREE, 2))


PSI = smallest_root()

PROGRAM = f"""limb_program 1 "axpy"
degree {DEGREE}
modulus q0 {Q} psi {PSI}
%0 = input operand "x" : q0 eval
%1 = input operand "y" : q0 eval
%2 = input constant "a" : q0 eval
%3 = mul %0 %2 : q0 eval
%4 = add %3 %1 : q0 eval
output "z" = %4
output "p" = %3
"""


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(5)
    return random.integers(0, Q, (3, 4, DEGREE), dtype=np.uint64)


def axpy(a, x, y):
    # Below 2^60: exact in 64 bits.
    return (a * x + y) % np.uint64(Q), a * x % np.uint64(Q)


@pytest.mark.parametrize("name", heliodor.target_names())
def test_every_target_computes_what_numpy_does(name, data):
    x, y, a = data[0], data[1], data[2, 0]
    plan = heliodor.make_target(name).plan(LimbProgram.parse(PROGRAM))
    single = plan.run({"x": x[0], "y": y[0], "a": a})
    batch = plan.run({"x": x, "y": y, "a": a})
    z, p = axpy(a, x, y)
    assert single.outputs["z"].shape == (DEGREE,)
    assert np.array_equal(single.outputs["z"], z[0])
    assert np.array_equal(batch.outputs["z"], z)
    assert np.array_equal(batch.outputs["p"], p)
    assert batch.fault is None
    assert batch.cost.seconds >= 0
    assert (batch.cost.cycles is not None) == name.startswith("machine:")
    assert plan.describe() and plan.program == LimbProgram.parse(PROGRAM)


def test_a_seed_is_bytes_and_targets_expand_it_alike():
    text = f"""limb_program 1 "expand"
degree {DEGREE}
modulus q0 {Q} psi {PSI}
%0 = input seed "s"
%1 = uniform %0 stream 7 : q0 coeff
output "u" = %1
"""
    program = LimbProgram.parse(text)
    seed = bytes(range(32))
    words = [
        heliodor.make_target(name).plan(program).run({"s": seed}).outputs["u"]
        for name in ("reference", "cpu", "machine:tutorial")
    ]
    assert words[0].max() < Q
    assert np.array_equal(words[0], words[1]) and np.array_equal(words[0], words[2])
    plan = heliodor.make_target("cpu").plan(program)
    assert not np.array_equal(plan.run({"s": bytes(32)}).outputs["u"], words[0])
    for wrong in (bytes(31), "s" * 32):
        with pytest.raises(heliodor.Error) as error:
            plan.run({"s": wrong})
        assert error.value.code == "mismatch"


def test_a_program_describes_its_ports():
    program = LimbProgram.parse(PROGRAM)
    assert (program.name, program.degree, program.moduli) == ("axpy", DEGREE, [Q])
    assert program.instruction_count == 2
    assert [(p.name, p.kind, p.modulus, p.domain) for p in program.inputs] == [
        ("x", "operand", Q, "eval"),
        ("y", "operand", Q, "eval"),
        ("a", "constant", Q, "eval"),
    ]
    assert [p.name for p in program.outputs] == ["z", "p"]


def test_text_and_bytes_keep_a_program():
    program = LimbProgram.parse(PROGRAM)
    assert LimbProgram.parse(program.to_text()) == program
    assert LimbProgram.from_bytes(program.to_bytes()) == program


def test_a_malformed_program_is_refused_with_every_place():
    text = PROGRAM.replace("mul %0 %2", "mul %9 %2")
    with pytest.raises(heliodor.Error) as error:
        LimbProgram.parse(text)
    assert error.value.code == "invalid_program"
    assert str(error.value).splitlines() == [
        "program:4:1: %0 is never used",
        "program:7:1: %9 is not defined",
    ]
    with pytest.raises(heliodor.Error) as error:
        LimbProgram.from_bytes(LimbProgram.parse(PROGRAM).to_bytes()[:-1])
    assert error.value.code == "invalid_program"


def test_inputs_that_do_not_fit_are_refused(data):
    x, y, a = data[0], data[1], data[2, 0]
    plan = heliodor.make_target("cpu").plan(LimbProgram.parse(PROGRAM))
    good = {"x": x[0], "y": y[0], "a": a}
    above = x[0].copy()
    above[5] = Q
    for wrong, code, text in (
        ({"y": y[0], "a": a}, "mismatch", '"x" is missing'),
        ({**good, "w": a}, "mismatch", "4 inputs"),
        ({**good, "x": x[0, 1:]}, "mismatch", "63 words, expected 64"),
        ({**good, "x": x}, "mismatch", "another shape"),
        ({**good, "x": x, "y": y[:2]}, "mismatch", "batch of 2, expected 4"),
        ({**good, "a": data[2]}, "mismatch", '"a" has 2 dimensions'),
        ({**good, "a": 3}, "mismatch", '"a" has 0 dimensions'),
        ({**good, "x": x[0].astype(float)}, "mismatch", "kind 'f'"),
        ({**good, "x": above}, "out_of_range", f"word {Q} is not below {Q}"),
        ({**good, "x": np.full(DEGREE, -1)}, "out_of_range", "18446744073709551615"),
    ):
        with pytest.raises(heliodor.Error) as error:
            plan.run(wrong)
        assert error.value.code == code and text in str(error.value)
    assert np.array_equal(
        plan.run({**good, "x": x[0].astype(np.int64)}).outputs["z"], plan.run(good).outputs["z"]
    )


def test_a_target_says_what_it_refuses_and_what_a_run_costs():
    program = LimbProgram.parse(PROGRAM)
    machine = heliodor.make_target("machine:tutorial")
    assert machine.refusal(program) is None
    assert machine.predict(program).cycles > 0
    session = heliodor.make_target("stream:session")
    assert session.refusal(program)
    with pytest.raises(heliodor.Error) as error:
        session.plan(program)
    assert error.value.code == "unsupported"


def test_a_plan_outlives_its_target(data):
    plan = heliodor.make_target("cpu").plan(LimbProgram.parse(PROGRAM))
    x, y, a = data[:, 0]
    assert np.array_equal(plan.run({"x": x, "y": y, "a": a}).outputs["z"], axpy(a, x, y)[0])
