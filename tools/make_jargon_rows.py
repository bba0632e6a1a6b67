"""Make examples/data/jargon.jsonl from the Jargon File as Debian's package dict-jargon carries it.

apt-get download dict-jargon && dpkg -x dict-jargon_*.deb unpacked
python tools/make_jargon_rows.py unpacked/usr/share/dictd examples/data/jargon.jsonl
"""

import gzip
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from contracts.dataset import InstructionRow

SEED = 447
MAX_ANSWER_CHARS = 1200
MIN_ANSWER_CHARS = 40
QUESTIONS = (
    'What does the hacker term "{term}" mean?',
    'What is "{term}" in hacker slang?',
    'Explain the hacker jargon "{term}".',
    'In hacker culture, what does "{term}" mean?',
    'Define "{term}" as hackers use it.',
    'A colleague said "{term}". What does that mean among hackers?',
)
UNFIT_AT_WORK = re.compile(
    r"fuck|shit|\brap(e|ed|ist)\b|cunt|bitch|whore|wank|penis|masturbat|orgasm|nigg|faggot", re.IGNORECASE
)
CAPTIONS = re.compile(
    r"Crunchly|in action\.$|^A really |^IPM tells|hot water\.$|^A math-out approach|^Hydrodynamic number"
)
"""Lines below pictures that the text edition does not have."""
SENTENCE_END = re.compile(r"[.!?”’)\]]$")
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def main() -> None:
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    choose = random.Random(SEED)
    rows = []
    for term, paragraphs in entries(source):
        answer = answer_of(paragraphs)
        if len(answer) < MIN_ANSWER_CHARS or UNFIT_AT_WORK.search(term + answer) or is_only_reference(answer):
            continue
        rows.append(InstructionRow(instruction=choose.choice(QUESTIONS).format(term=term), output=answer))
    choose.shuffle(rows)
    lines = [json.dumps(row.model_dump(exclude={"input"}), ensure_ascii=False) for row in rows]
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(rows)} rows, {target.stat().st_size} bytes")


def entries(folder: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """Each entry's term and its paragraphs, as lines, in the File's order."""
    text = gzip.decompress((folder / "jargon.dict.dz").read_bytes())
    places = set()
    for line in (folder / "jargon.index").read_text("utf-8").splitlines():
        name, offset, length = line.split("\t")
        if not name.startswith("00-database"):
            places.add((_number(offset), _number(length)))
    for offset, length in sorted(places):
        head, _, body = text[offset : offset + length].decode("utf-8").partition("\n\n")
        term = head.splitlines()[0].strip()
        yield term, [block.splitlines() for block in re.split(r"\n\s*\n", body) if block.strip()]


def answer_of(paragraphs: list[list[str]]) -> str:
    """Whole paragraphs up to the limit; the first is cut after a sentence when it alone is longer."""
    kept: list[str] = []
    for lines in paragraphs:
        if is_figure(lines):
            # What follows a figure, a poem or a program speaks about it.
            break
        text = clean(" ".join(line.strip() for line in lines))
        is_heading = len(text) == 1  # the letter of the next section
        is_caption = len(text) < 70 and CAPTIONS.search(text)
        if text and not is_heading and not is_caption and not text.startswith("alt.:"):
            kept.append(text)
    kept = join_numbers(kept)
    while kept and (not SENTENCE_END.search(kept[-1]) or (len("\n\n".join(kept)) > MAX_ANSWER_CHARS and len(kept) > 1)):
        kept.pop()
    answer = "\n\n".join(kept)
    if len(answer) > MAX_ANSWER_CHARS:
        answer = answer[: answer.rfind(". ", 0, MAX_ANSWER_CHARS) + 1]
    return answer


def is_figure(lines: list[str]) -> bool:
    return any(not line.startswith("    ") or line.startswith("     ") or "   " in line.strip() for line in lines)


def clean(text: str) -> str:
    text = text.replace("\u00ad", "")  # a hyphenation hint
    text = re.sub(r"\{\s*([^{}]*?)\s*\}", r"\1", text)  # a cross reference
    text = re.sub(r"(?<=[\s(])/[^/]{0,40}[´·`@][^/]{0,40}/[,;]?\s*", "", text)  # a pronunciation
    # Where a word came from stands in brackets at the front, often cut by line ends; the answer is what it means.
    text = re.sub(r"^(\d+\. |[a-z]\. )?(?:\[[^\[\]]*\]\s*)+", r"\1", text)
    text = re.sub(r"^(?:(?:n|v|vt|vi|adj|adv|interj|obs)\.,?\s+)+", "", text)
    text = re.sub(r"\s*\[[^\[\]]*(?:—|--)\s?ESR\s?\]", "", text)  # the editor's asides
    text = re.sub(r"\s*<[^<>\s]+@[^<>\s]+>\}?", "", text)  # a person's mail address
    text = re.sub(r"\s*\(\s*\)", "", text).replace("`‘", "‘")
    text = re.sub(r"([“‘(]) +", r"\1", text)
    text = re.sub(r" +([”),.;:?!])(?=\W|$)", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def join_numbers(paragraphs: list[str]) -> list[str]:
    """A number whose whole text was a bracket or a figure says nothing."""
    return [text for text in paragraphs if not re.fullmatch(r"\d+\.|[a-z]\.", text)]


def is_only_reference(answer: str) -> bool:
    return (
        re.fullmatch(r"(See|Syn\.|Synonym of|Synonymous with|Variant of|Compare|Same as)\b[^.]*\.?", answer) is not None
    )


def _number(digits: str) -> int:
    value = 0
    for digit in digits:
        value = value * 64 + _ALPHABET.index(digit)
    return value


if __name__ == "__main__":
    main()
