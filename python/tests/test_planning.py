# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""The predicted costs of key switching."""

import pytest
from conftest import TOY

import heliodor
from heliodor import KeySwitchMethod


@pytest.fixture(scope="module")
def parameters():
    return heliodor.RlweParameters.choose(2048, [30] * 4, digit_count=2, security=TOY)


@pytest.mark.parametrize("target", ["cpu", "machine:tutorial"])
def test_candidates_are_ordered_by_cost_at_every_limb_count(parameters, target):
    choices = heliodor.plan(parameters, target)
    assert [choice.limb_count for choice in choices] == [4, 3, 2, 1]
    for choice in choices:
        costs = [candidate.predicted_seconds for candidate in choice.candidates]
        assert costs == sorted(costs) and costs[0] > 0
        assert {c.method for c in choice.candidates} >= {
            KeySwitchMethod.hybrid,
            KeySwitchMethod.klss,
        }
        for candidate in choice.candidates:
            assert candidate.gadget.max_limb_count >= choice.limb_count
            assert (candidate.block_size > 0) == (candidate.method == KeySwitchMethod.klss)


def test_more_limbs_cost_more(parameters):
    choices = heliodor.plan(parameters, heliodor.make_target("machine:tutorial"), [1, 4])
    assert [choice.limb_count for choice in choices] == [1, 4]
    one, four = (choice.candidates[0].predicted_seconds for choice in choices)
    assert one < four


def test_limb_counts_that_are_none_are_refused(parameters):
    for count in (0, 5):
        with pytest.raises(heliodor.Error) as error:
            heliodor.plan(parameters, "cpu", [count])
        assert error.value.code == "out_of_range"
        assert str(count) in str(error.value) and "4" in str(error.value)
