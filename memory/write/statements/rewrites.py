"""Many ways to say a thing, each as one: data, no decisions. Applied in order, to lower case."""

from __future__ import annotations

import re

_GIVEN_AWAY = r"sold|lost|got rid of|gave away|do not have"
_GROUPS = r"choir|band|club|team|group|gym|church|army|board|committee|orchestra|party"
_HABITS = (
    r"coffee|caffeine|alcohol|sugar|cigarettes|tobacco|nicotine|social media|instagram|facebook"
    r"|twitter|tiktok|the gym|meat|dairy|gluten|soda|drugs|gaming|tea"
)
_FOOD = r"meat|dairy|gluten|sugar|fish|eggs|pork|alcohol|nuts|caffeine|milk|cheese|seafood"
_DO = r"(?:have|take|eat|drink|use|go by|travel by|get|wear|play)"
_AM = r"(?:am|is|are|was)"
# Pattern, what it becomes, whether it denies what follows.
_REWRITES = (
    (r"\bi (?:can|could) not (?:stand|bear)\b", "i like", True),
    (r"\b(?:can|could) not (?:stand|bear)\b", "like", True),
    (
        rf"\bwould (?:much |always |still )?(?:rather|sooner) (?:{_DO} )?(?=.+ than )",
        "prefer ",
        False,
    ),
    (r"\bwould (?:like|love) to\b", "want to", False),
    (r"\b(?:hates?|dislikes?|detests?|loathes?|despises?)\b", "like", True),
    (
        rf"\b{_AM} (?:a )?(?:big |huge )?(?:fan of|fond of|into|keen on|crazy about)\b",
        "like",
        False,
    ),
    (r"\b(?:loves?|enjoys?|adores?)(?: (?:to|drinking|eating))?\b", "like", False),
    (r"\blikes? (?:to |drinking |eating )", "like ", False),
    (r"\bowns?\b(?! )?(?= (?:an?|\d|my|our|the)\b)", "have", False),
    (r"\b(?:am|is) (?P<no>not )?on an? (?P<diet>[\w-]+) diet\b", r"\g<no>eat \g<diet>", False),
    (r"\bdecided to (?=(?:go|become|be)\b)", "", False),
    (r"^my (?:main |big |biggest )?(?:goal|aim|dream|plan) is to\b", "i want to", False),
    (r"^you (?:can|may) ", "", False),
    (r"^(?:please )?(?:give|send|write) me (?=\w+ \w+)", "i prefer ", False),
    (
        r"^i (?:have )?(?:changed|updated|set) my (?P<attr>[\w ]+?)(?: from [\w ]+?)? to ",
        r"my \g<attr> is ",
        False,
    ),
    (r"\b(?:gave|given|giving) up on (?=\w+ing\b)", "", True),
    (r"\b(?:have |has )?(?:came|come) off (?=\w+)", "take ", True),
    (r"\b(?:have |has )?(?:gone|went) off (?=\w+)", "like ", True),
    (r"\bhave not (?=\w+ed\b.*\bsince\b)", "", True),
    (r"\bmanaged to (?:quit|stop|give up) (?=\w+ing)", "", True),
    (
        r"^i have a new (?P<role>[\w ]+?)(?:,| called| named) (?!and\b|but\b)",
        r"my \g<role> is ",
        False,
    ),
    (r"\b(?:quit|dropped) the (?=\w+$)", "", True),
    (rf"\bleft the (?=(?:\w+ ){{0,2}}(?:{_GROUPS})\b)", "", True),
    (r"\b(?:have |has )?(?:stopped|quit) being\b", "am", True),
    (r"\b(?:have |has )?(?:stopped|quit|gave up|given up|ceased|no longer) (?=\w+ing\b)", "", True),
    (r"\b(?:have |has )?(?:gave up|given up|cut out|kicked) (?!my job)", "", True),
    (r"\b(?:am|is) off (?=\w+$)", "", True),
    (
        rf"\b(?:{_GIVEN_AWAY}) (?:my|our|the|his|her) (?!job|work|temper)",
        "have ",
        True,
    ),
    (r"^my (?P<pet>\w+)(?: \w+)? (?:died|passed away|was put down)\b", r"i have \g<pet>", True),
    (r"\b(?:have |has )?(?:went|gone) back to (?=\w+ing\b)", "", False),
    (rf"\b{_AM} an? (?:heavy |occasional |social )?smoker\b", "smoke", False),
    (rf"\b{_AM} an? (?:non-?|ex-?|former )smoker\b", "smoke", True),
    (r"(?<=\d) ?(?P<half>[ap])\.?m\b\.?", r"\g<half>m", False),
    (r", (?:and )?not (?:in |at |for )?\w+(?: \w+)?$", "", False),
    (r"\b(?:had to )?(?:gave|give) (?:my|our) (?P<given>\w+) away\b", r"have \g<given>", True),
    (r"\bcancell?ed (?:my |our )?(?=\w)", "", True),
    (r"\bgo(?:es|ing)? (?=\w+ing\b)", "", False),
    (
        rf"\b(?:have )?quit (?=(?:{_HABITS})\b)",
        "",
        True,
    ),
    (r"\b(?:have |has )?(?:started|began|took up|taken up) (?=\w+ing\b)", "", False),
    (r"\bused to (?:be )?", "", True),
    (r"\bformerly\b", "", True),
    (r"\b(?:bought|purchased|adopted|acquired) (?=a|an|another|my)", "have ", False),
    (r"\bam (?:now )?(?:down|up) to (?=\d+ ?(?:kg|kilo|pound|lb|stone))", "weigh ", False),
    (
        r"\b(?:have )?(?:started|come|grown|begun|learned) to (?=(?:like|love|hate|enjoy)\b)",
        "",
        False,
    ),
    (rf"\bavoids? (?=(?:{_FOOD})\b)", "eat ", True),
    (r"\bhave got\b", "have", False),
    (r"\bsuffers? from\b", "have", False),
    (r"\b(?:have|has) an? (?P<what>[\w -]+) allergy\b", r"am allergic to \g<what>", False),
    (r"\b(?:make|makes) use of\b", "use", False),
    (r"\b(?:speaks|speaking)\b", "speak", False),
)
REWRITES = [(re.compile(pattern), to, denies) for pattern, to, denies in _REWRITES]
