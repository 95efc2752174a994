"""A session is held as long as it is open and its model lives."""

import gc
import weakref

import torch

import hookviz
from hookviz.session.watching import session_of
from tests.models import fc, row
from tests.views import at


def test_a_session_is_held_as_long_as_its_model_lives() -> None:
    model = fc()
    session = weakref.ref(hookviz.watch(model))

    assert session_of(model) is session()
    del model
    gc.collect()
    assert session() is None


def test_a_session_that_is_closed_goes_with_its_last_name_and_its_tensors_with_it() -> None:
    model = fc()
    session = hookviz.watch(model, every=1)
    model(row()).sum().backward()
    kept = weakref.ref(session)

    session.close()
    assert session_of(model) is None
    assert at(session, "").output.is_kept
    del session
    gc.collect()

    assert kept() is None
    assert model(torch.ones(1, 4)).shape == (1, 4)


def test_a_model_that_is_watched_again_has_a_new_session() -> None:
    model = fc()
    first = hookviz.watch(model)
    first.close()
    second = hookviz.watch(model)

    first.close()

    assert session_of(model) is second
    assert hookviz.watch(model) is second


def test_the_run_before_the_last_is_freed_at_once_where_its_tensors_are_not_kept() -> None:
    model = fc()
    session = hookviz.watch(model, every=1, history=1)
    model(row())
    first = weakref.ref(session._capturing._observed) if session._capturing._observed is not None else None
    gc.disable()

    try:
        model(row())

        assert first is not None
        assert first() is None
    finally:
        gc.enable()
