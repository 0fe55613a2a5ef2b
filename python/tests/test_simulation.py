# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Profiles of programs on simulated machines, against what their parts must add up to."""

import json
import pathlib

import numpy as np
import pytest
from conftest import REPOSITORY, TOY

import heliodor

# (x key) in coefficients, N = 16.
PRODUCT = """limb_program 1 "product"
degree 16
modulus q0 97 psi 19
%0 = input operand "x" : q0 coeff
%1 = input key "k" : q0 eval
%2 = ntt %0 : q0 eval
%3 = mul %2 %1 : q0 eval
%4 = intt %3 : q0 coeff
output "y" = %4
"""
LIMB_BYTES = 16 * 8  # on the tutorial machine
TUTORIAL = REPOSITORY / "heliodor" / "targets" / "machine" / "machines" / "tutorial.toml"


@pytest.fixture(scope="module")
def product():
    return heliodor.LimbProgram.parse(PRODUCT)


@pytest.fixture(scope="module")
def parameters():
    return heliodor.RlweParameters.choose(2048, [30] * 4, digit_count=2, security=TOY)


@pytest.fixture(scope="module")
def choice(parameters):
    return heliodor.plan(parameters, "machine:tutorial", [3])[0]


@pytest.fixture(scope="module")
def switch(parameters, choice):
    """A key switch of several hundred instructions."""
    return heliodor.key_switch_program(parameters, choice.candidates[0], 3)


def of_unit(profile, name):
    return profile.units[list(profile.units["name"]).index(name)]


def test_every_machine_takes_the_time_that_it_predicts(switch):
    assert "tutorial" in heliodor.machine_names()
    for name in heliodor.machine_names():
        profile = heliodor.simulate(switch, name)
        cost = heliodor.make_target(f"machine:{name}").predict(switch)
        assert (profile.cycles, profile.seconds) == (cost.cycles, cost.seconds)
        assert profile.seconds == pytest.approx(profile.cycles / (profile.clock_mhz * 1e6))
        assert (profile.machine, profile.program) == (name, "keyswitch")


def test_a_candidates_program_takes_the_seconds_that_it_predicts(parameters, choice):
    assert len(choice.candidates) > 1
    for candidate in choice.candidates:
        program = heliodor.key_switch_program(parameters, candidate, 3)
        outputs = [port.name for port in program.outputs]
        assert len(outputs) == 2 * 3
        assert heliodor.simulate(program, "tutorial").seconds == candidate.predicted_seconds


def test_a_machine_computes_what_the_cpu_does_by_every_candidate(parameters, choice):
    random = np.random.default_rng(7)
    for candidate in choice.candidates:
        program = heliodor.key_switch_program(parameters, candidate, 3)
        inputs = {
            port.name: random.integers(0, port.modulus, program.degree, dtype=np.uint64)
            for port in program.inputs
        }
        words = [
            heliodor.make_target(name).plan(program).run(inputs).outputs
            for name in ("cpu", "machine:tutorial")
        ]
        for name, limb in words[0].items():
            assert np.array_equal(limb, words[1][name])


def test_busy_and_stalled_fractions_of_every_unit_make_the_whole(switch):
    profile = heliodor.simulate(switch, "tutorial")
    units = profile.units
    assert list(units["name"]) == ["vector", "ntt", "permutation", "generator", "dram"]
    stalls = units["stalled"]
    assert stalls.dtype.names == ("dispatch", "transfer", "operand", "ports", "drained")
    whole = units["busy"] + sum(stalls[name] for name in stalls.dtype.names)
    assert whole == pytest.approx(np.ones(len(units)), abs=1e-9)
    assert profile.occupancy.shape[0] == len(units)
    assert profile.occupancy.mean(axis=1) == pytest.approx(units["busy"], abs=1e-9)
    assert (profile.occupancy >= 0).all() and (profile.occupancy <= 1).all()
    assert (units["attained_per_second"] <= units["peak_per_second"]).all()


def test_spans_and_kinds_hold_every_operation_once(switch):
    profile = heliodor.simulate(switch, "tutorial")
    spans, kinds, units = profile.spans, profile.kinds, profile.units
    assert kinds["busy_cycles"].shape == (len(kinds), len(units))
    assert (np.diff(spans["begin"].astype(np.int64)) >= 0).all()
    for index, unit in enumerate(units):
        mine = spans[spans["unit"] == index]
        assert mine["operations"].sum() == unit["operations"]
        assert (mine["end"][:-1] <= mine["begin"][1:]).all()
        assert mine["busy"].sum() == kinds["busy_cycles"][:, index].sum()
        # The tutorial's units have the machine's clock.
        assert mine["busy"].sum() == pytest.approx(unit["busy"] * profile.cycles)
    assert kinds["operations"].sum() == units["operations"].sum() == profile.micro_operations
    assert spans["end"].max() <= profile.cycles
    transfers = kinds[kinds["kind"] == "transfer"]["operations"]
    assert transfers == of_unit(profile, "dram")["operations"]
    assert set(spans[spans["unit"] == len(units) - 1]["code"]) == {"load", "store"}


def test_spans_and_stays_name_instructions_and_values_of_the_program(product):
    profile = heliodor.simulate(product, "tutorial")
    lines = PRODUCT.splitlines()
    assert [line.strip() for line in profile.instructions] == lines[5:8]
    assert profile.values == ("x", "k", "%2", "%3", "%4")
    assert len(profile.instructions) == product.instruction_count
    codes = [(span["instruction"], span["code"]) for span in profile.spans]
    assert sorted(codes) == [
        (0, "load"), (0, "ntt_pass"), (1, "load"), (1, "mul"), (2, "intt_pass"), (2, "store")
    ]  # fmt: skip
    assert set(profile.stays["value"]) == set(range(5))


def test_stays_keep_to_the_rows_that_the_program_names(switch):
    profile = heliodor.simulate(switch, "tutorial")
    stays = profile.stays
    assert (stays["begin"] < stays["end"]).all() and stays["end"].max() <= profile.cycles
    assert (np.diff(stays["begin"].astype(np.int64)) >= 0).all()
    assert (stays["rows"] == switch.degree // 64).all()
    assert stays["first_row"].min() == 0
    assert (stays["first_row"] + stays["rows"]).max() == profile.rows_used < profile.rows
    assert profile.rows == 2**22 // 64


def test_traffic_is_each_limb_once_and_nothing_for_what_is_resident(product):
    kinds = {"operands": LIMB_BYTES, "keys": LIMB_BYTES, "constants": 0, "outputs": LIMB_BYTES}
    profile = heliodor.simulate(product, "tutorial")
    assert profile.off_chip_bytes == {**kinds, "spills": 0}
    assert profile.bandwidth == 128e9
    for kind in kinds:
        resident = heliodor.simulate(product, "tutorial", resident=[kind])
        assert resident.off_chip_bytes == {**kinds, kind: 0, "spills": 0}
    alone = heliodor.simulate(product, "tutorial", resident=tuple(kinds))
    assert of_unit(alone, "dram")["operations"] == 0
    assert alone.cycles < profile.cycles


def test_multiplications_are_products_and_butterflies(product):
    profile = heliodor.simulate(product, "tutorial")
    assert of_unit(profile, "vector")["multiplications"] == 16
    assert of_unit(profile, "ntt")["multiplications"] == 2 * 16 // 2 * 4  # N/2 log2 N, twice
    assert of_unit(profile, "vector")["peak_per_second"] == 64e9  # lanes by clock
    # A transform in place and a product of two rows, each written once; loads and the store.
    assert profile.scratchpad_reads == 1 + 2 + 1 + 1
    assert profile.scratchpad_writes == 2 + 1 + 1 + 1
    accesses = profile.scratchpad_reads + profile.scratchpad_writes
    assert profile.scratchpad_busy == pytest.approx(accesses / (4 * profile.cycles))


def test_overrides_replace_what_the_description_says(switch, tmp_path):
    path = tmp_path / "mine.toml"
    text = TUTORIAL.read_text().replace("bandwidth = 128 ", "bandwidth = 16.5 ")
    path.write_text(text.replace("ports = 4 ", "ports = 2 "))
    usual = heliodor.simulate(switch, "tutorial")
    for changes in (
        {"memory.dram.bandwidth": 16.5, "memory.scratchpad.ports": 2},
        {"memory.dram.bandwidth": np.float64(16.5), "memory.scratchpad.ports": np.int32(2)},
        {"memory.dram.bandwidth": "16.5", "memory.scratchpad.ports": "2"},
    ):
        changed = heliodor.simulate(switch, "tutorial", overrides=changes)
        assert changed.bandwidth == 16.5e9 and changed.cycles > usual.cycles
        for machine in (path, str(path)):
            described = heliodor.simulate(switch, machine)
            assert described.cycles == changed.cycles
            assert np.array_equal(described.spans, changed.spans)
    again = heliodor.simulate(switch, path, overrides={"memory.dram.bandwidth": 128})
    assert again.bandwidth == usual.bandwidth
    tables = {"units.vector.arithmetic": "{lanes = 32, registers = 16}"}
    slower = heliodor.simulate(switch, "tutorial", overrides=tables)
    assert of_unit(slower, "vector")["peak_per_second"] == 32e9


def test_the_trace_has_a_track_for_each_unit_and_an_event_for_each_span(product):
    profile = heliodor.simulate(product, "tutorial")
    events = json.loads(profile.to_chrome_trace())["traceEvents"]
    tracks = [e["args"]["name"] for e in events if e["name"] == "thread_name"]
    assert tracks == list(profile.units["name"])
    shown = [(e["tid"], e["name"], e["ts"], e["dur"]) for e in events if e["ph"] == "X"]
    spans = [
        (s["unit"], s["code"], s["begin"] / profile.clock_mhz,
         (s["end"] - s["begin"]) / profile.clock_mhz)
        for s in profile.spans
    ]  # fmt: skip
    assert shown == spans


def test_tables_are_made_once_and_cannot_be_written(product):
    profile = heliodor.simulate(product, "tutorial")
    for name in ("units", "occupancy", "spans", "stays", "kinds"):
        table = getattr(profile, name)
        assert getattr(profile, name) is table
        with pytest.raises(ValueError, match="read-only"):
            table[0] = table[1]
    units = profile.units
    del profile
    assert units["busy"].max() > 0


@pytest.mark.parametrize(
    ("machine", "options", "code", "parts"),
    [
        ("abacus", {}, "unavailable", ["abacus", "tutorial"]),
        ("abacus.toml", {}, "io", ["abacus.toml"]),
        (pathlib.Path("abacus"), {}, "io", ["abacus"]),
        ("tutorial", {"resident": ["keys", "all"]}, "out_of_range", ["'all'", "operands, keys"]),
        ("tutorial", {"overrides": {"memory.dram.width": 8}}, "invalid_description",
         ["tutorial: ", "memory.dram.width"]),
        ("tutorial", {"overrides": {"units.ntt.depth": 0}}, "invalid_description",
         ["units.ntt.depth 0", "1000"]),
        ("tutorial", {"overrides": {"clock_mhz": "fast"}}, "invalid_description", ["fast"]),
        ("tutorial", {"overrides": {"word_bits": 5}}, "invalid_description", ["word_bits 5"]),
    ],
)  # fmt: skip
def test_machines_that_are_none_are_refused(product, machine, options, code, parts):
    with pytest.raises(heliodor.Error) as error:
        heliodor.simulate(product, machine, **options)
    assert error.value.code == code
    for part in parts:
        assert part in str(error.value)


def test_a_malformed_description_is_refused_with_every_place(product, tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text('name = "broken"\nwords = 1\nclock_mhz = 0\n')
    with pytest.raises(heliodor.Error) as error:
        heliodor.simulate(product, path)
    assert error.value.code == "invalid_description"
    lines = str(error.value).splitlines()
    assert all(line.startswith(f"{path}:") for line in lines)
    assert any(line.startswith(f"{path}:2:") and "words" in line for line in lines)
    assert any(line.startswith(f"{path}:3:") and "clock_mhz 0" in line for line in lines)


def test_what_a_machine_cannot_run_is_refused(product, switch):
    with pytest.raises(heliodor.Error) as error:
        heliodor.simulate(switch, "tutorial", overrides={"memory.scratchpad.capacity_words": 128})
    assert error.value.code == "unsupported"
    for resident in ("keys", 3, [3]):
        with pytest.raises(TypeError):
            heliodor.simulate(product, "tutorial", resident=resident)
    for machine in (3, None):
        with pytest.raises(TypeError):
            heliodor.simulate(product, machine)
    with pytest.raises(TypeError):
        heliodor.simulate(PRODUCT, "tutorial")


def test_programs_are_made_only_for_limb_counts_and_gadgets_that_there_are(parameters, choice):
    candidate = choice.candidates[0]
    for count in (0, 5):
        with pytest.raises(heliodor.Error) as error:
            heliodor.key_switch_program(parameters, candidate, count)
        assert error.value.code == "out_of_range" and str(count) in str(error.value)
    small = heliodor.RlweParameters.choose(2048, [30] * 2, digit_count=1, security=TOY)
    larger = [c for c in choice.candidates if c.gadget.max_limb_count > 2]
    assert larger
    for candidate in larger:
        with pytest.raises(heliodor.Error) as error:
            heliodor.key_switch_program(small, candidate, 1)
        assert error.value.code == "out_of_range"
