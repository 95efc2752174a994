"""The account says what is taken, and whether what is above the limit will be paid off."""

from hookviz.session.account import Account


class Clock:
    """Stands still but for what it is told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def account_of(runs: int, *, noticing: float) -> Account:
    """The account of a captured run of 10 ms that cost 20, and of others that are only noticed, one each 10 ms."""
    clock = Clock()
    account = Account(0.05, None, clock=clock)
    for run in range(runs):
        account.begin_run(0.0)
        account.budget.is_due()
        clock.now += 0.01
        account.budget.run_ended()
        account.spend(0.02) if run == 0 else account.notice(noticing)
    return account


def test_what_the_first_run_took_is_paid_off() -> None:
    overhead = account_of(10, noticing=1e-5).overhead(0.0)

    assert round(overhead.share, 2) == 0.28
    assert round(overhead.seconds, 3) == 0.1
    assert overhead.settles


def test_of_a_long_time_the_share_is_that_of_the_last_twenty_seconds() -> None:
    overhead = account_of(2_500, noticing=1e-5).overhead(0.0)

    assert overhead.seconds == 20.0
    assert not overhead.settles


def test_what_noticing_takes_of_runs_that_are_too_short_is_not_paid_off() -> None:
    overhead = account_of(1_000, noticing=1e-3).overhead(0.0)

    assert overhead.share > 0.1
    assert not overhead.settles
