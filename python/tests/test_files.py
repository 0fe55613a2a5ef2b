# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Files: what was saved is loaded; OpenFHE's decrypt to what OpenFHE encrypted."""

import stat

import numpy as np
import pytest
from conftest import REPOSITORY, TOY

import heliodor
from heliodor import FileReader, FileWriter, bfv, bgv

ECOSYSTEM = REPOSITORY / "tests" / "vectors" / "ecosystem"


def save(path, context, *items, test_seed=1):
    writer = FileWriter(context)
    for item in items:
        writer.add(item)
    if test_seed is not None:
        writer.mark_test_seed(test_seed)
    writer.add_note("for a test")
    writer.save(path)
    return FileReader(path, security=TOY, accept_test_seeds=True)


def test_integers_go_on_where_they_were_saved(integers, tmp_path):
    s = integers
    scheme = bgv if s.context.scheme == "bgv" else bfv
    product = s.evaluator.multiply(s.x, s.y)
    file = save(
        tmp_path / "all.hld",
        s.context,
        s.secret,
        s.public,
        s.relinearization,
        s.galois,
        s.x,
        product,
    )
    parameters = scheme.Parameters(file.parameters, file.entries[-1].metadata["plaintext_modulus"])
    context = scheme.Context(parameters)
    evaluator = scheme.Evaluator(context, file.relinearization_keys(), file.galois_keys())
    decryptor = scheme.Decryptor(context, file.secret_key())
    x, y = file.ciphertext(context, 0), file.ciphertext(context, 1)
    assert file.ciphertext_count == 2
    assert np.array_equal(x.limbs(), s.x.limbs())
    assert (y.limb_count, y.error_log2) == (product.limb_count, product.error_log2)
    assert np.array_equal(decryptor.decrypt(y), s.a * s.b % s.t)
    rotated = evaluator.rotate_rows(evaluator.add(x, y), 1)
    expected = np.roll(((s.a + s.a * s.b) % s.t).reshape(2, -1), -1, axis=1)
    assert np.array_equal(decryptor.decrypt(rotated), expected.ravel())
    encryptor = scheme.Encryptor(context, file.public_key())
    assert np.array_equal(decryptor.decrypt(encryptor.encrypt(s.b)), s.b)
    assert file.notes == ["for a test"]


def test_a_ckks_ciphertext_keeps_its_exact_scale(numbers, tmp_path):
    n = numbers
    product = n.evaluator.multiply(n.x, n.y)
    file = save(tmp_path / "ckks.hld", n.context, product)
    loaded = file.ciphertext(n.context)
    assert np.array_equal(loaded.limbs(), product.limbs())
    assert (loaded.slots, loaded.scale) == (product.slots, product.scale)
    # With exact matching summands need equal scales, to the last bit.
    exact = heliodor.ckks.Evaluator(n.context, matching=heliodor.Matching.exact)
    total = exact.add(loaded, product)
    assert n.error(total, 2 * n.a * n.b) <= total.slot_error_bound


def test_entries_tell_what_a_file_holds(integers, tmp_path):
    s = integers
    file = save(tmp_path / "x.hld", s.context, s.public, s.galois, s.x)
    entries = file.entries
    assert entries[0].kind == "public_key" and entries[0].metadata == {}
    assert entries[0].galois_element is None
    galois = [e.galois_element for e in entries if e.kind == "galois_key"]
    assert sorted(set(galois)) == s.galois.elements
    assert (entries[-1].kind, entries[-1].parts) == ("ciphertext", 2)
    assert entries[-1].limb_count == s.x.limb_count
    assert entries[-1].metadata["scheme"] == s.context.scheme


def test_a_file_with_a_secret_key_is_its_owners_alone(integers, tmp_path):
    save(tmp_path / "secret.hld", integers.context, integers.secret)
    save(tmp_path / "public.hld", integers.context, integers.public)
    assert stat.S_IMODE((tmp_path / "secret.hld").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "public.hld").stat().st_mode) & 0o400


def test_toy_files_must_be_asked_for(integers, tmp_path):
    path = tmp_path / "x.hld"
    save(path, integers.context, integers.public)
    for options in ({"security": TOY}, {"accept_test_seeds": True}):
        with pytest.raises(heliodor.Error) as error:
            FileReader(path, **options)
        assert error.value.code == "insecure"


def test_what_is_missing_damaged_or_foreign_is_refused(integers, numbers, tmp_path):
    path = tmp_path / "x.hld"
    file = save(path, integers.context, integers.x)
    with pytest.raises(heliodor.Error) as error:
        file.secret_key()
    assert error.value.code == "missing_key"
    with pytest.raises(heliodor.Error) as error:
        file.ciphertext(integers.context, 1)
    assert error.value.code == "out_of_range"
    with pytest.raises(heliodor.Error) as error:
        file.ciphertext(numbers.context)
    assert error.value.code == "mismatch"
    with pytest.raises(heliodor.Error) as error:
        FileWriter(numbers.context).add(integers.x)
    assert error.value.code == "mismatch"
    with pytest.raises(heliodor.Error) as error:
        FileReader(tmp_path / "none.hld")
    assert error.value.code == "io"
    damaged = bytearray(path.read_bytes())
    damaged[20] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(heliodor.Error) as error:
        FileReader(path, security=TOY, accept_test_seeds=True)
    assert error.value.code == "malformed_file"


@pytest.mark.parametrize("scheme, files", [(bgv, "bgvbv"), (bfv, "bfv")])
def test_a_ciphertext_of_openfhe_decrypts_with_its_key(scheme, files):
    ciphertexts = FileReader(ECOSYSTEM / f"{files}.ct.bin", security=TOY)
    keys = FileReader(ECOSYSTEM / f"{files}.sk.bin", security=TOY)
    metadata = ciphertexts.entries[0].metadata
    assert metadata["scheme"] == files[:3]
    parameters = scheme.Parameters(ciphertexts.parameters, metadata["plaintext_modulus"])
    context = scheme.Context(parameters)
    decryptor = scheme.Decryptor(context, keys.secret_key())
    x = ciphertexts.ciphertext(context, assume_fresh=True)
    expected = np.zeros(parameters.degree, dtype=np.int64)
    expected[:4] = [1, 2, 3, 4]
    assert np.array_equal(decryptor.decrypt(x), expected)
    tripled = scheme.Evaluator(context).multiply_plain(x, [3, 3, 3, 3])
    assert np.array_equal(decryptor.decrypt(tripled), 3 * expected)
    unknown = ciphertexts.ciphertext(context)
    assert unknown.error_log2 == float("inf")
    with pytest.raises(heliodor.Error) as error:
        scheme.Evaluator(context).add(unknown, unknown)
    assert error.value.code == "noise_overflow"


def test_openfhes_parameters_are_as_insecure_as_they_are():
    with pytest.raises(heliodor.Error) as error:
        FileReader(ECOSYSTEM / "bgvbv.cc.bin")
    assert error.value.code == "insecure"
