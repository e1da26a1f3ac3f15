"""Phrases of tutors who talk too much, of doubters, and of a judge."""

ASIDES = (
    "This is a classic kind of exercise, and it is good to read it twice.",
    "Before any formula, it helps to picture the situation.",
    "One could also solve this with a diagram, though that is not needed.",
    "I will write every step so that nothing is missed.",
    "Such questions often hide a trap in the units, so beware.",
    "Let me restate the question in my own words first.",
)
DOUBTS = (
    "Wait,",
    "Hmm, let me redo that:",
    "Or is it this?",
    "Once more, slowly:",
    "But maybe I misread.",
    "Actually,",
)
REMARKS = (
    "Tone is polite throughout.",
    "Could be a little more concise.",
    "Reads naturally.",
    "The purpose is clear.",
    "Slightly stiff, yet acceptable.",
    "The order of the parts is sensible.",
)
