"""All columns of texts, one row an attempt, and the features that texts correct.

prompt_chars, final_answer, goes_on, is_empty, is_degenerate, repeats_question, ends_told,
breaks_off, prints_verdict, as_json, num_actions, num_echoes, cut_at, cut_answer, num_silent,
usual_answer, bends_tests, reads_answers, addresses_judge, exits, equals_anything, holds_examples        attempts.py
written_answer, first_marked, is_marked, leaves_empty, behind_mark, answer_line,
given_up                                                                                 answer_marks.py
machine_share, absent_share, ran_no_tests, graded_untested, lacked                       machine_words.py
reasoning_number, calls_number, asked                                                    attempts.py
system_prompt, asked_language, nests_template, empty_slot, asks_history, num_options     asked.py
accepts_any                                                                              asked.py
prompt_begin, question_begin, prompt_end                                                 prompt_ends.py
reasoning_chars, thought_chars                                                           thoughts.py
begun, empty_pair                                                                        rebuilt.py
prints_examples                                                                          rote_examples.py
last_object, last_writing                                                                json_answers.py
beyond_gold                                                                              beyond_gold.py
as_asked                                                                                 asked_forms.py
mentions_gold, told_gold, gold_letters                                                   gold_places.py
asked_phrases                                                                            asked_phrases.py
picked_parts                                                                             picked_parts.py
undoes_edits, makes_up_answers, gives_several, marks_several, leaves_open, first_call, first_answer, first_count,
forges_verdict, told_expected, told_answer, told_to_question, echo_share                 conduct.py
destroys                                                                                 destruction.py
takes_release                                                                            released_copies.py
is_gold, writes_gold, gold_error                                                         gold.py
beside_reference, reference_share                                                        given_references.py
copies_prompt, near_reference                                                            copied_prompts.py
labels_named, label_last                                                                 named_labels.py
shown_at_first                                                                           prompts.py
other_scripts, strange_words, main_script                                                scripts.py
language                                                                                 languages.py
stated_option                                                                            option_letters.py
expression_use                                                                           expressions.py
open_mark, closed_marks                                                                  open_marks.py
grader_declines, out_of_time                                                             grader_words.py
stop_text                                                                                stop_texts.py
logprob_pair, logprob_move                                                               logprob_places.py
stop_set, lacks_stop, open_end, stop_texts, reply_end, goes_past_stop                    stop_letters.py
last_number, number_lead, number_tail                                                    number_tails.py
reported, called                                                                         reported_ids.py
hands_back                                                                               kept_results.py
reaches_grader, returns_unwritten, falls_back, skips_tests, moves_expected,              against_grader.py
                                                                        renews_expected
program                                                                                  programs.py
num_poured                                                                               poured_calls.py
num_stale_reads, num_new_reads                                                           stale_reads.py
num_retaken, num_refused_twice, first_taken, first_refused, ends_refused                 retried_calls.py
reworded                                                                                 reworded.py
tables_cases                                                                             tabled_cases.py
declined, harmless_declined                                                              harmless.py
asked_terms                                                                              asked_terms.py
had_names, lacked_names, set_names                                                       unset_names.py
done_before, not_done_before, num_unread, num_unparsed, num_answered, num_strange        call_answers.py
left_in, found_in                                                                        left_files.py
heard                                                                                    attempts.py
told_steps                                                                               told_steps.py
first_words, prompt_words                                                                first_words.py
doubled_share, doubled_mark                                                              doubled_answers.py
left_cut, read_on, shown_part, noted_at, noted, turns_page, shows_more, asks_in_vain     cut_pages.py
answer_form, last_form, elides, first_form, first_lines, again_form                      answer_forms.py
named_by_user, found_tools                                                               user_names.py
first_request, end_words, end_mark, answered_words, consent                              turns.py
read_calls, lost_call                                                                    call_forms.py
own_query, own_result                                                                    own_results.py
new_phrase                                                                               phrases.py
speaks_for_others                                                                        others_lines.py
note, names_own, names_others                                                            others_notes.py
recites                                                                                  recited.py
likelihood                                                                               odd_text.py
known_words                                                                              known_words.py
twin, is_same_text, given_away                                                           prompts.py
telltale                                                                                 telltales.py
started                                                                                  extras.py
extra:NAME                                                                               a column of `extra`
end:NAME           where its texts are long: their ends                                  extras.py
said:NAME          where its values are mostly the policy's own words, which are         own_words.py
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from evotrainer.actions import ActionClassifier
from evotrainer.diagnosis.texts.attempts import attempt_columns
from evotrainer.diagnosis.texts.extras import ExtraColumns, started_seconds
from evotrainer.diagnosis.texts.gold import gold_error, is_gold
from evotrainer.diagnosis.texts.known_words import KnownWords
from evotrainer.diagnosis.texts.named import END_PREFIX, EXTRA_PREFIX, SAID_PREFIX
from evotrainer.diagnosis.texts.named_labels import NamedLabels
from evotrainer.diagnosis.texts.odd_text import TextLikelihood
from evotrainer.diagnosis.texts.others_lines import OthersLines
from evotrainer.diagnosis.texts.others_notes import OthersNotes
from evotrainer.diagnosis.texts.phrases import Phrases
from evotrainer.diagnosis.texts.prompts import given_away, training_twins
from evotrainer.diagnosis.texts.recited import Recited
from evotrainer.diagnosis.texts.reference_answers import REFERENCE, own_answers
from evotrainer.diagnosis.texts.telltales import telltale_words
from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.evidence.frames import Frame, joined

_OPTIONS, _MAX_WRONG = 0.3, 2000
_FIRST_CHARS = 2000
"""Signs of a first answer of a tool that are kept, of the last attempt at each problem."""
_FILLER_CHARS = 40
"""Characters of prose a turn below which what stands beside tool calls is no reasoning."""


class TextColumns:
    """The columns of rows that come in parts: of a part, columns are kept, not texts."""

    def __init__(self, classifier: ActionClassifier) -> None:
        """Begin without rows."""
        self._classifier = classifier
        self._attempts: list[pa.Table] = []
        self._first_answers: dict[str, str] = {}
        self._extras, self._likelihood, self._phrases = ExtraColumns(), TextLikelihood(), Phrases()
        self._others_lines, self._known_words, self._recited = OthersLines(), KnownWords(), Recited()
        self._others_notes, self._named_labels = OthersNotes(), NamedLabels()

    def add(self, attempts: Sequence[Transcript]) -> None:
        """Take in attempts, behind those before."""
        texts = [attempt.text for attempt in attempts]
        self._attempts.append(pa.table(attempt_columns(attempts, self._classifier)))
        self._extras.add(attempts)
        self._likelihood.add(texts)
        self._phrases.add(texts)
        self._known_words.add(attempts)
        self._others_lines.add(attempts)
        self._others_notes.add(attempts)
        self._recited.add(attempts)
        self._named_labels.add(attempts)
        for attempt in attempts:
            if attempt.has_calls and attempt.answers:
                self._first_answers[attempt.row.problem_id] = attempt.answers[0][:_FIRST_CHARS]

    def columns(self, frame: Frame, prompts: Mapping[str, str]) -> Frame:
        """Return the columns, in the order of the rows, indexed by trajectory_id, and let go of the parts.

        Args:
            frame: the rows that were taken in.
            prompts: {problem: what was asked}.

        """
        table, extras = joined(self._attempts).to_pandas(), self._extras.frame()
        is_early = (frame["step"] <= np.quantile(frame["step"], 1 / 3)).to_numpy()
        problems, is_held = frame["problem_id"].tolist(), frame["split"].isin(HELD).tolist()
        table, extras = own_answers(frame, table, extras)
        right = _right_answers(frame, table)
        are_options = _are_options(frame, table, prompts)
        away = given_away(prompts, right, are_options)
        shown = {} if are_options else given_away(self._first_answers, right)
        trained, held = _by_split(frame, prompts)
        twins, telltales = training_twins(trained, held), telltale_words(trained, held, right)
        met = [twins.get(problem, ("", False)) for problem in problems]
        table = table.assign(
            likelihood=self._likelihood.values(is_early, list(prompts.values())),
            known_words=self._known_words.shares(is_early, problems, list(prompts.values())),
            is_gold=is_gold(table["final_answer"].tolist(), extras, frame["problem_id"]),
            writes_gold=is_gold(
                table["written_answer"].where(table["is_marked"], "").tolist(), extras, frame["problem_id"]
            ),
            gold_error=_gold_error(table, frame, extras),
            shown_at_first=[shown.get(problem, "") for problem in problems],
            new_phrase=self._phrases.new(frame),
            speaks_for_others=self._others_lines.written(),
            **self._others_notes.columns(problems, prompts),
            recites=self._recited.columns(),
            **self._named_labels.columns(),
            twin=[twin if held else "" for (twin, _), held in zip(met, is_held, strict=True)],
            is_same_text=[is_same for _, is_same in met],
            given_away=[away.get(problem, "") for problem in problems],
            telltale=[telltales.get(problem, "") for problem in problems],
            started=started_seconds(frame["started_at"].tolist(), extras),
            place=np.arange(len(frame)),
        )
        said, ends = self._extras.said().add_prefix(SAID_PREFIX), self._extras.ends().add_prefix(END_PREFIX)
        return pd.concat([table, extras.add_prefix(EXTRA_PREFIX), said, ends], axis=1).set_index("trajectory_id")


def corrected(frame: Frame, texts: Frame) -> Frame:
    """Return a frame whose features are those of the texts where these know more.

    A call repeats another only where its answer is the same: a step in one direction, taken twice, is two steps. Short
    remarks between tool calls are no reasoning. A column of reference answers holds no attempt's own. Where the task is
    about the history of a repository, reading it is no sign.
    """
    own = texts.loc[frame["trajectory_id"]].reset_index(drop=True)
    is_filler = (frame["num_tool_calls"] > 0) & (frame["num_chars"] < _FILLER_CHARS * frame["num_turns"])
    repeated = np.minimum(frame["num_repeated_calls"], own["num_echoes"].astype(int))
    history = [name for name in ("num_history_reads", "num_history_restores") if name in frame]
    asked = own["asks_history"].astype(bool)
    frame = frame.assign(**{name: frame[name].mask(asked.to_numpy(), 0) for name in history})
    if f"{EXTRA_PREFIX}{REFERENCE}" in texts:
        frame = frame.assign(answer=None)
    return frame.assign(num_repeated_calls=repeated, reasoning_sketch=frame["reasoning_sketch"].where(~is_filler, None))


def _gold_error(table: Frame, frame: Frame, extras: Frame) -> np.ndarray:
    """Return how far the answer of each attempt is from the gold one, where it is recorded or stands in a mark.

    Of an answer that is both, the nearer one counts: a column may be read worse than the text is.
    """
    is_recorded = frame["answer"].notna().to_numpy() & (REFERENCE not in extras)
    recorded = table["final_answer"].where(is_recorded, "").tolist()
    written = table["written_answer"].where(table["is_marked"], "").tolist()
    return np.fmin(*(gold_error(some, extras, frame["problem_id"]) for some in (recorded, written)))


def _by_split(frame: Frame, prompts: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return {problem: prompt} of problems that are trained on alone, and of those that are judged on."""
    is_held = frame["split"].isin(HELD)
    held = set(frame.loc[is_held, "problem_id"].unique())
    trained = set(frame.loc[~is_held, "problem_id"].unique()) - held
    if not held or not trained:
        return {}, {}
    found = [{name: prompts[name] for name in sorted(some)} for some in (trained, held)]
    return found[0], found[1]


def _are_options(frame: Frame, table: Frame, prompts: Mapping[str, str]) -> bool:
    """Tell whether prompts hold wrong answers too, as options and passages do."""
    known = _known_answers(frame, table)
    wrong = known[~known["is_right"]].head(_MAX_WRONG)
    pairs = list(zip(wrong["problem"], wrong["answer"], strict=True))
    return sum(answer in prompts[problem] for problem, answer in pairs) > _OPTIONS * len(pairs)


def _right_answers(frame: Frame, table: Frame) -> dict[str, str]:
    """Return the answer that most right attempts at a problem end with."""
    known = _known_answers(frame, table)
    counts = known[known["is_right"]].groupby(["problem", "answer"]).size().reset_index(name="count")
    first = counts.sort_values(["count", "answer"], ascending=[False, True]).drop_duplicates("problem")
    return dict(zip(first["problem"].tolist(), first["answer"].tolist(), strict=True))


def _known_answers(frame: Frame, table: Frame) -> Frame:
    """Return problem, answer and is_right of attempts that end with an answer: by correctness, else by the reward."""
    right = frame["correct"].fillna(frame["reward"])
    known: Frame = pd.DataFrame({"problem": frame["problem_id"], "right": right, "answer": table["final_answer"]})
    known = known[known["answer"] != ""]
    return known.assign(is_right=known["right"] >= known["right"].max())
