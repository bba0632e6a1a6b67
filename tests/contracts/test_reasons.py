import pytest

from contracts.reasons import EXPLANATIONS, Reason


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_a_sentence_and_a_next_step(reason: Reason) -> None:
    explanation = EXPLANATIONS[reason]
    for text in explanation:
        assert text[0].isupper()
        assert text.endswith(".")
        assert len(text.split()) >= 3


def test_no_explanation_is_left_without_a_reason() -> None:
    assert set(EXPLANATIONS) == set(Reason)
