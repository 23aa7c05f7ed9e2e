"""What runs on a GPU compiles without one; that its games are the CPU's shows ``make gpu``, where there is one."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

import serai
from serai.camelup.kernel import games as camelup_games
from serai.camelup.kernel.batch import Batch as CamelUpBatch
from serai.camelup.odds.race_table import race_table
from serai.core import BadOptions
from serai.core.batch import Batch
from serai.core.lanes import Plan
from serai.pharaoh.kernel import games as pharaoh_games
from serai.pharaoh.kernel.batch import TEMPERS_BY_NUMBER
from serai.pharaoh.kernel.batch import Batch as PharaohBatch
from tests.support import SOAK

if find_spec("numba_cuda") is None:
    pytest.skip("numba-cuda is for Linux", allow_module_level=True)

from serai.camelup.kernel import gpu as camelup
from serai.pharaoh.kernel import gpu as pharaoh
from tests.ptx import cuda, ptx

ENTRY = ".visible .entry"
SEED = np.uint64(1)


def plan(kind: type[Batch]) -> Plan:
    row = np.zeros((1, kind.shape.row_size), kind.shape.row_type)
    return Plan(row, SEED, 2, -1, np.zeros(3, np.int8), np.zeros(4))


def test_steps_of_a_batch_compile_for_a_gpu() -> None:
    actions, over = np.zeros(2, np.int64), np.zeros(3, np.int32)
    seen, told = CamelUpBatch.empty(2, packed=True), plan(CamelUpBatch)
    assert ENTRY in ptx(camelup.answer, seen, actions, told, over)
    assert ENTRY in ptx(camelup.show, seen.rows, seen.actors, seen.mask, seen.observations, over)
    if SOAK:
        assert ENTRY in ptx(camelup.deal, seen, told)
        assert ENTRY in ptx(camelup.renew, seen, told, over)
        assert ENTRY in ptx(camelup.answer_among_opponents, seen, actions, told, over, race_table())
        assert ENTRY in ptx(camelup.renew_among_opponents, seen, told, over, race_table())
        seen, told = PharaohBatch.empty(2, packed=True), plan(PharaohBatch)
        assert ENTRY in ptx(pharaoh.answer, seen, actions, told, over)
        assert ENTRY in ptx(pharaoh.deal, seen, told)
        assert ENTRY in ptx(pharaoh.renew, seen, told, over)
        assert ENTRY in ptx(pharaoh.answer_among_opponents, seen, actions, told, over, TEMPERS_BY_NUMBER)
        assert ENTRY in ptx(pharaoh.renew_among_opponents, seen, told, over, TEMPERS_BY_NUMBER)
        assert ENTRY in ptx(pharaoh.show, seen.rows, seen.actors, seen.mask, seen.observations, over)


def test_whole_games_compile_for_a_gpu() -> None:
    policies, results = np.zeros((1, 4), np.int8), np.zeros((2, camelup_games.RESULT_SIZE), np.int32)
    assert ENTRY in ptx(camelup.play_random_games, SEED, 0, 1, policies, 0, 0, results)
    if SOAK:
        assert ENTRY in ptx(camelup.play_games, SEED, 0, 1, policies, 0, 0, race_table(), results)
        row, wild = np.zeros(PharaohBatch.shape.row_size, np.int64), np.zeros((1, 4), np.uint8)
        out = np.zeros((2, pharaoh_games.RESULT_SIZE), np.int32)
        assert ENTRY in ptx(pharaoh.play_random_games, SEED, 0, 1, row, wild, out)


@pytest.mark.parametrize("name", ["camelup", "pharaoh"])
def test_without_a_gpu_it_is_said(name: str) -> None:
    if cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(BadOptions, match="no CUDA GPU is found here: leave 'device' out"):
        serai.game(name).batch(2, device="gpu")
    simulator = serai.game(name).simulator(["random", "random"], seed="1", device="gpu")
    assert simulator is not None
    with pytest.raises(BadOptions, match="no CUDA GPU"):
        simulator.play(0, 1)


@pytest.mark.parametrize(("there", "here"), [(camelup.GpuBatch, CamelUpBatch), (pharaoh.GpuBatch, PharaohBatch)])
def test_arrays_on_a_gpu_are_those_of_the_cpu_with_lanes_side_by_side(
    there: type[Batch], here: type[Batch], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda, "device_array", np.empty)  # it takes the same arguments, and needs no GPU
    wanted = here.empty(5, packed=True)._asdict()
    for name, array in there.empty(5, packed=True)._asdict().items():
        assert (array.shape, array.dtype) == (wanted[name].shape, wanted[name].dtype)
        assert array.flags["F_CONTIGUOUS"]


def test_bots_that_need_too_much_room_are_told() -> None:
    with pytest.raises(BadOptions, match="on a GPU greedy cannot play; those that can: random, quick"):
        serai.game("camelup").simulator(["greedy", "quick"], seed="1", device="gpu")
