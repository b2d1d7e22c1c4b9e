"""policy.yaml reads with every problem at once and writes back equal."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twin.problems import InvalidInput
from twin.sched import LATER, Backfill, Order, PassMode, Placement, Policy, Shape, dump_policy, load_policy

EXAMPLE = """\
order: fifo            # fifo | priority | sjf
backfill: easy
backfill_depth: 100
placement: best_fit
preemption: none
pass: instant
shape: packed
"""


def problems_of(text):
    with pytest.raises(InvalidInput) as caught:
        load_policy(text, "p.yaml")
    return [str(problem) for problem in caught.value.problems]


def test_the_documented_example_reads():
    assert load_policy(EXAMPLE) == Policy(name="fifo, easy, best_fit")


def test_an_empty_file_is_the_default_policy():
    assert load_policy("") == load_policy("# nothing\n") == Policy()


def test_depth_all_is_no_limit():
    assert load_policy("backfill_depth: all").backfill_depth is None
    assert load_policy("backfill_depth: 0").backfill_depth == 0


def test_a_preset_is_overridden_by_what_follows():
    policy = load_policy("preset: cqsim\nbackfill_depth: 5\n")
    assert (policy.name, policy.placement, policy.pass_mode) == ("cqsim", Placement.COUNT, PassMode.EVENT)
    assert policy.backfill_depth == 5


policies = st.builds(
    Policy,
    order=st.sampled_from(Order),
    backfill=st.sampled_from(Backfill),
    placement=st.sampled_from(Placement),
    shape=st.sampled_from(Shape),
    pass_mode=st.sampled_from(PassMode),
    enforce_limits=st.booleans(),
    name=st.sampled_from(["a: name", "no", "0x1F", "fifo, easy"]),
    backfill_depth=st.none() | st.integers(0, 1_000_000_000),
)


@given(policies)
@settings(max_examples=80, deadline=None)
def test_what_is_written_reads_back_equal(policy):
    assert load_policy(dump_policy(policy)) == policy


@pytest.mark.parametrize(("key", "word"), [(key, word) for key, words in LATER.items() for word in words])
def test_what_is_not_built_yet_is_refused_by_name(key, word):
    (problem,) = problems_of(f"{key}: {word}\n")
    assert problem.startswith(f'p.yaml, line 1: {key}: "{word}" comes with a later release')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pass: every 30 s", '"every 30 s" comes with a later release'),
        ("quotas: {}", "quotas: comes with a later release"),
        ("backfil: easy", 'backfil: is not a known key; did you mean "backfill"?'),
        ("placement: cuont", '"cuont" is not known; did you mean "count"?'),
        ("backfill: no", '"no" is not known (one of strict, first_fit, easy)'),
        ("backfill: off", '"off" is not known'),
        ("backfill_depth: yes", '"yes" is not a whole number'),
        ("backfill_depth: -1", 'out of range (a whole number from 0 to 1,000,000,000 or "all")'),
        ("enforce_limits: yes", '"yes" is not a truth value in YAML 1.2 (write true)'),
        ("enforce_limits: Off", "(write false)"),
        ("enforce_limits: 1", '"1" is not a truth value'),
        ("preemption: ~", "preemption: is empty"),
        ("order: FIFO", '"FIFO" is not known; did you mean "fifo"?'),
        ("assume_limit: forever", "(one of run_time)"),
        ("just words", "must be a mapping of keys"),
    ],
)
def test_a_bad_value_says_what_would_be_valid(text, said):
    assert said in "\n".join(problems_of(text))


def test_all_problems_are_told_at_once():
    assert len(problems_of("order: drf\nbackfil: x\npass: often\nenforce_limits: yes\n")) == 4
