"""GPU kernels compile without a GPU; ``make gpu`` compares their games with the CPU's where there is one."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import serai
from serai.camelup import GAME as CAMELUP
from serai.camelup.odds.race_table import race_table
from serai.core.parts import compiled
from serai.errors import BadOptions
from serai.lab import Compiled
from serai.lab.driver import Plan
from serai.pharaoh import GAME as PHARAOH
from serai.pharaoh.policy.driver import STYLES_BY_NUMBER
from tests.support import SOAK

if find_spec("numba_cuda") is None:
    pytest.skip("numba-cuda is for Linux", allow_module_level=True)

from serai.camelup.policy import gpu as camelup
from serai.pharaoh.policy import gpu as pharaoh
from tests.ptx import cuda, ptx

ENTRY = ".visible .entry"
SEED = np.uint64(1)


def plan(kernel: Compiled[Any]) -> Plan:
    row = np.zeros((1, kernel.driver.ROW_SIZE), kernel.driver.ROW_TYPE)
    return Plan(row, SEED, 2, -1, np.zeros(3, np.int8), np.zeros(4), 5000, 5000)


def test_steps_of_a_batch_compile_for_a_gpu() -> None:
    actions, over = np.zeros(2, np.int64), np.zeros(3, np.int32)
    seen, setting = CAMELUP.compiled.buffers(2, packed=True), plan(CAMELUP.compiled)
    kernels = camelup.KERNELS
    assert ENTRY in ptx(kernels.answer_in_place, seen, actions, setting, over)
    assert ENTRY in ptx(kernels.show, seen.rows, seen.actors, seen.mask, seen.observations, over)
    if SOAK:
        assert ENTRY in ptx(kernels.deal, seen, setting)
        assert ENTRY in ptx(kernels.renew, seen, setting, over)
        assert ENTRY in ptx(kernels.answer_among_opponents, seen, actions, setting, over, race_table())
        assert ENTRY in ptx(kernels.renew_among_opponents, seen, setting, over, race_table())
        seen, setting = PHARAOH.compiled.buffers(2, packed=True), plan(PHARAOH.compiled)
        kernels = pharaoh.KERNELS
        assert ENTRY in ptx(kernels.answer, seen, actions, setting, over)
        assert ENTRY in ptx(kernels.deal, seen, setting)
        assert ENTRY in ptx(kernels.renew, seen, setting, over)
        assert ENTRY in ptx(kernels.answer_among_opponents, seen, actions, setting, over, STYLES_BY_NUMBER)
        assert ENTRY in ptx(kernels.renew_among_opponents, seen, setting, over, STYLES_BY_NUMBER)
        assert ENTRY in ptx(kernels.show, seen.rows, seen.actors, seen.mask, seen.observations, over)


def test_whole_games_compile_for_a_gpu() -> None:
    policies = np.zeros((1, 4), np.int8)
    start, out = plan(CAMELUP.compiled).starts[0], np.zeros((2, CAMELUP.compiled.driver.RESULT_SIZE), np.int32)
    assert ENTRY in ptx(camelup.KERNELS.play_random_games, SEED, 0, 1, start, policies, 5000, out)
    if SOAK:
        assert ENTRY in ptx(camelup.KERNELS.play_games, SEED, 0, 1, start, policies, race_table(), 5000, out)
        start, out = plan(PHARAOH.compiled).starts[0], np.zeros((2, PHARAOH.compiled.driver.RESULT_SIZE), np.int32)
        assert ENTRY in ptx(pharaoh.KERNELS.play_random_games, SEED, 0, 1, start, policies, 5000, out)


@pytest.mark.parametrize("name", ["camelup", "pharaoh"])
def test_without_a_gpu_it_is_said(name: str) -> None:
    if cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(BadOptions, match="no CUDA GPU is found here: leave 'device' out"):
        compiled(serai.game(name)).batch(2, device="gpu")
    simulator = compiled(serai.game(name)).simulator(["random", "random"], seed="1", device="gpu")
    assert simulator is not None
    with pytest.raises(BadOptions, match="no CUDA GPU"):
        simulator.play(0, 1)


@pytest.mark.parametrize("kernel", [CAMELUP.compiled, PHARAOH.compiled])
def test_arrays_on_a_gpu_are_those_of_the_cpu_with_lanes_side_by_side(
    kernel: Compiled[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda, "device_array", np.empty)  # it takes the same arguments, and needs no GPU
    wanted = kernel.buffers(5, packed=True)._asdict()
    for name, array in kernel.buffers(5, packed=True, device="gpu")._asdict().items():
        assert (array.shape, array.dtype) == (wanted[name].shape, wanted[name].dtype)
        assert array.flags["F_CONTIGUOUS"]


def test_bots_that_need_too_much_room_are_told() -> None:
    with pytest.raises(BadOptions, match="on a GPU greedy cannot play; those that can: random, quick"):
        serai.game("camelup").compiled.simulator(["greedy", "quick"], seed="1", device="gpu")
