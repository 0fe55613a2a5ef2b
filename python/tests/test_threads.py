# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Python's threads go on while C++ works, and may share what they work with."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import heliodor

@pytest.fixture
def progress():
    """Counts in the background, whenever the interpreter lock is free; nothing else frees it."""
    counter, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counter[0] += 1
            time.sleep(0.0005)

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=count)
    thread.start()
    while counter[0] == 0:
        time.sleep(0.001)
    sys.setswitchinterval(1000)
    yield counter
    sys.setswitchinterval(interval)
    stop.set()
    thread.join()


def test_the_lock_is_held_where_nothing_releases_it(progress):
    before = progress[0]
    sum(range(2_000_000))
    assert progress[0] == before


def test_the_lock_is_released_while_keys_ciphertexts_programs_and_profiles_are_made(progress):
    parameters = heliodor.bgv.Parameters.for_depth(t=65537, depth=2)
    context = heliodor.bgv.Context(parameters)
    keys = heliodor.KeyGenerator(context)
    secret = keys.secret_key()
    evaluator = heliodor.bgv.Evaluator(context, keys.relinearization_keys(secret))
    encryptor = heliodor.bgv.Encryptor(context, keys.public_key(secret))
    decryptor = heliodor.bgv.Decryptor(context, secret)
    slots = np.arange(parameters.degree)
    x = encryptor.encrypt(slots)
    size = heliodor.RlweParameters.choose(2048, [30], security=heliodor.SecurityLevel.none)
    candidate = heliodor.plan(size, "machine:tutorial")[0].candidates[0]
    program = heliodor.key_switch_program(size, candidate, 1)
    profile = heliodor.simulate(program, "tutorial")

    def simulate_in_vain():
        # Not to the end, where NumPy itself releases the lock to fill tables.
        with pytest.raises(heliodor.Error, match="scratchpad"):
            heliodor.simulate(
                program, "tutorial", overrides={"memory.scratchpad.capacity_words": 128}
            )

    for operation in (
        lambda: keys.relinearization_keys(secret),
        lambda: encryptor.encrypt(slots),
        lambda: evaluator.multiply([x] * 8, [x] * 8),
        lambda: evaluator.multiply_plain(x, slots),
        lambda: decryptor.decrypt(x),
        lambda: heliodor.key_switch_program(size, candidate, 1),
        simulate_in_vain,
        profile.to_chrome_trace,
    ):
        before, end = progress[0], time.monotonic() + 5
        while progress[0] == before and time.monotonic() < end:
            operation()
        assert progress[0] > before


def test_threads_share_an_encryptor_and_an_evaluator(integers):
    def work(k):
        x = integers.encryptor.encrypt([k, k + 1])
        return x.limbs(), integers.decrypt(integers.evaluator.multiply(x, x))[:2]

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(40)))
    for k, (_, squares) in enumerate(results):
        assert list(squares) == [k**2, (k + 1) ** 2]
    assert len({limbs.tobytes() for limbs, _ in results}) == 40
