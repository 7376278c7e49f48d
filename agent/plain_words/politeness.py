"""What stands around a command and is not part of it: address, fillers, requests, thanks, reasons.

Each lead and tail is of a kind. The kind tells how the rest is meant: “please” and “I want
you to” speak to Keepsake, “can you” asks for something, “I want to” and “let's” speak of
what oneself does (“I want to forget my ex” is no command, “I want to go incognito” is).
"""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["filler", "polite", "asks", "wonders", "mind", "wish", "leave", "for_good"]

_STOP = r"[,.!:;…–—-]"
_GAP = rf"(?:\s*{_STOP}+\s*|\s+|$)"
_YOU = r"(?:you|u|ya)"
_PLACE = r"(?:very |really |so |just |all |a |an |kind of |super |too |pretty |quite ){0,3}"
_NATURE = (
    r"(?:true|untrue|false|wrong|incorrect|private|personal|joke|sensitive|secret|confidential|"
    r"outdated|out of date|right|correct|mistake|important|error|typo|old news|accident|"
    r"none of your business|embarrassing|test|stupid|useful|relevant|needed)"
)
REASON = (
    r"(?:(?:sorry,? )?i (?:was|am) (?:just |only )?"
    r"(?:joking|kidding|wrong|mistaken|lying|confused|testing)"
    r"|(?:i'?m |i was )?(?:just|only) (?:kidding|joking|testing)"
    r"|i made (?:a mistake|that up|it up|an error)|i misspoke|i misremembered"
    r"|i got (?:it|that) wrong|i'?(?:ve)? ?(?:have )?changed my mind|on second thought|my mistake"
    r"|my bad|sorry about that"
    r"|i take (?:that|it|this) back"
    rf"|(?:it|that|this|that one|(?:that|the|this) (?:memory|fact|one))(?:'?s| is| was| isn'?t"
    rf"| wasn'?t) (?:not |no longer |not even ){{0,2}}"
    rf"{_PLACE}{_NATURE}(?: any ?more| now| to me| stuff| matter)?"
    r"|i (?:need|want) (?:some |a bit of |a little )?privacy"
    r"|i (?:need|want|have) to (?:talk|speak|ask|tell you|discuss) [^,.;:!?]{0,60}"
    r"(?:private|personal|sensitive|privately)(?: things?| matters?| stuff)?)"
)

# “I didn't mean to delete that, …”: what follows is the command.
_REGRET = (
    r"i (?:didn'?t|did not|never) (?:really |actually )?(?:mean|want|intend|mean for you)"
    r"(?: you)?(?: to)?(?: (?:forget|delete|erase|remove|lose|say|do|drop|unpin))?"
    r" ?(?:that|this|it|them|that one|you to)?"
    r"|(?:i|you) (?:shouldn'?t|should not) have (?:forgotten|deleted|erased|removed|said|done)"
    r" (?:that|this|it|them)|i (?:accidentally |mistakenly )(?:deleted|erased|removed|forgot)"
    r" (?:that|this|it)|i (?:deleted|erased|removed|did|said) (?:that|this|it) (?:by (?:accident"
    r"|mistake)|accidentally)|(?:that|this|it) was(?:n'?t| not) (?:what i (?:meant|wanted)"
    r"|the (?:right )?one(?: i meant)?|meant to (?:go|be deleted))|wrong (?:one|memory|button)"
    r"|my (?:finger|hand) slipped|i (?:still |do |actually |really )+(?:need|want) (?:that|this|it)"
    r"(?: after all| back)?|i(?:'ve)? changed my mind about (?:forgetting |deleting |erasing )?"
    r"(?:that|this|it)|i (?:regret|take back) (?:that|this|it)|not that one"
)

_FILLER = (
    r"(?:hey|hi|hello|yo|ok|okay|k|so|well|right|alright|all right|oh|um+|uh+|h+mm*|er+m?|ah+|ugh|"
    r"actually|yes|yeah|yep|sure|wait|hold on|sorry|now|also|and|then|fine|good|great|nice|cool|"
    r"perfect|thanks|thank you|thx|oops|whoops|quick one|one more thing|by the way|btw"
    r"|you know what|"
    r"on second thoughts?|in that case|for now|from now on|as of now|today|there|just|simply|"
    r"quickly|lol|haha|anyway|good (?:morning|evening|afternoon)|listen|"
    r"no worries|fyi|but|for the record|try to)"
)
_LEADS: tuple[tuple[Kind, str], ...] = (
    # “no more incognito” and “no need to remember this” are not a “no” and something else.
    (
        "filler",
        rf"(?:no|nope|nah)(?:\s*{_STOP}+\s*|\s+(?=(?:no|wait|please|sorry|actually|stop)\b))",
    ),
    ("filler", rf"{REASON}\s*(?:{_STOP}+|,? so\b)\s*"),
    ("filler", rf"(?:{_REGRET})\s*(?:[,;–—-]+|,? so\b|,? but\b)\s*(?=\w)"),
    ("filler", rf"never ?mind(?: that| it)?\s*{_STOP}+\s*"),
    ("polite", r"(?:and )?(?:i mean it)\s*[,.!:;]\s*"),
    ("polite", rf"(?:please|pls|plz|pretty please|kindly|(?:dear )?keepsake|assistant){_GAP}"),
    ("mind", rf"(?:(?:would|do) {_YOU} mind|how about) (?:please )?(?=(?:not )?\w+ing\b)"),
    (
        "asks",
        (
            rf"(?:(?:can|could|would|cud) {_YOU}(?: maybe| perhaps| possibly| just| also| now"
            rf"| kindly)?"
            rf"|(?:is it possible|would it be possible) for {_YOU} to"
            rf"|{_YOU} (?:can|may|could|might want to)(?: now| just)?(?! forget (?:about )?it\b)"
            rf"|(?:may|can|could) i ask {_YOU} to){_GAP}"
        ),
    ),
    ("polite", rf"(?:would|will) {_YOU} please{_GAP}"),
    ("wonders", rf"will {_YOU}{_GAP}"),
    (
        "polite",
        (
            rf"(?:i (?:really )?(?:want|need|wish|ask|expect|prefer)(?: for)? {_YOU} to"
            rf"|i(?:'?d| would) (?:really )?(?:like|love|want|prefer)(?: it)?(?: for)? {_YOU} to"
            rf"|i'?m asking {_YOU} to|make yourself"
            rf"|i(?:'?d| would) (?:prefer|rather)(?: that| if| it if)? {_YOU}(?= (?:forget|delete"
            rf"|erase|remove)\b)"
            rf"|i(?:'?d| would) (?:really )?(?:appreciate it|be (?:happy|glad|grateful)) if {_YOU}"
            rf"(?: could| would|'d)"
            rf"|it (?:would|'d) be (?:great|nice|good|helpful|lovely) if {_YOU} (?:could|would)"
            rf"|{_YOU} (?:should|must|need to|have to|ought to)(?: now| just)?"
            r"|(?:(?:make|be) sure|ensure)(?: that)?(?= (?:this|that|it|memory)\b)"
            r"|do me a favou?r(?: and|[,:])|be so kind(?: as to| and)|go ahead and|feel free to"
            rf"|(?:(?:make|be) sure|ensure) (?:to|(?:that )?{_YOU})|if {_YOU} (?:can|could|would"
            rf"|don'?t mind),?)"
            rf"{_GAP}"
        ),
    ),
    (
        "wish",
        (
            r"(?:i (?:really )?(?:want|wish|need) to|i wanna|i(?:'?d| would) (?:really )?(?:like"
            r"|love) to"
            rf"|let'?s(?: just)?|let us|let me|(?:can|could|shall|may) we(?: just| please)?"
            rf"|(?:it'?s )?time to|we (?:can|could|should|may)(?: now| just)?|i(?:'m"
            rf"| am) (?:ready|going) to"
            rf"){_GAP}"
        ),
    ),
    ("leave", rf"(?:(?:can|could|may) i(?: please)?|am i able to){_GAP}"),
    # “do forget that”, but not “do you remember …”.
    ("polite", r"do (?=(?:forget|remember|pin|unpin|keep|delete|erase)\b)"),
    ("filler", rf"{_FILLER}{_GAP}"),
    ("filler", r"(?:ai|bot|buddy|mate|friend|my friend|dear)\s*,\s*"),
    # “permanently forget that”
    (
        "for_good",
        (
            r"(?:permanently|immediately|irrevocably|irreversibly|right now)\s*,?\s+"
            r"(?=(?:and )?(?:forget|delete|erase|remove|wipe|purge|clear|scrub)\b)"
        ),
    ),
    ("filler", r"(?:completely|totally|fully|entirely) (?=(?:forget|delete|erase|remove|wipe)\b)"),
)
LEADS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _LEADS)

_TAILS: tuple[tuple[Kind, str], ...] = (
    (
        "polite",
        (
            r"(?:please|pls|plz|pretty please|thanks|thank you|thankyou|thx|ty|cheers|many thanks"
            r"|thanks a lot|thanks a million|thank you (?:so|very) much|thanks so much"
            r"|much appreciated"
            r"|thanks in advance|if you please)"
        ),
    ),
    (
        "for_good",
        (
            r"(?:and )?(?:for good|for ?ever|permanently|irrevocably|irreversibly"
            r"|immediately|right now|rn|right away|straight ?away|at once|once and for all|for real"
            r"|i (?:do )?mean it(?: for ?ever| for good)?|with no undo|without (?:any )?undo"
            r"|no undo"
            r"|no way back|without a trace)"
        ),
    ),
    (
        "filler",
        (
            r"(?:for me|by the way|btw"
            r"|just now|now|then|already|too|as well|actually|quickly|real quick|asap"
            r"|as soon as (?:possible|you can)|if you (?:can|could|would|will)|if possible"
            r"|if you (?:don'?t|wouldn'?t) mind|if (?:that|it)'?s (?:ok|okay|possible|alright"
            r"|all right)"
            r"|exactly|completely|totally|entirely|altogether|lol|haha+)"
        ),
    ),
)
TAILS = tuple(
    (kind, re.compile(rf"(?<!\sfor)(?:\s+|\s*[,.!;:…–—(-]+\s*){pattern}\Z", re.IGNORECASE))
    for kind, pattern in _TAILS
)
# “Pin that, ok?” asks for a yes, not whether.
TAG = re.compile(
    r"\s*[,;.!–—-]+\s*(?:ok|okay|alright|all right|yeah|will you|would you|could you|can you"
    r"|please|thanks)\s*\?+\Z",
    re.IGNORECASE,
)
# These stand after a comma only: “forget my mate” has an object, “forget that, mate” has none.
TAILS_AFTER_A_STOP = re.compile(
    r"\s*[,;.!–—-]+\s*(?:ok|okay|alright|all right|right|yeah|yes|will you|would you|could you"
    r"|can you|mate|"
    r"buddy|man|dude|friend|pal|bro|keepsake|assistant|instead|sorry|oops|please and thank you|"
    rf"{REASON})\Z",
    re.IGNORECASE,
)
# “because” gives a reason for a short command; in a memory to keep it is part of the words.
BECAUSE = re.compile(
    r",?(?<!\s)\s+(?:because|cause|cuz|coz|'cause|since) .{1,120}\Z"
    r"|,?(?<!\s)\s+so (?:that )?(?:it|you|i|we"
    r"|nobody|no one) .{1,80}\Z",
    re.IGNORECASE,
)

FILLER_SENTENCE = re.compile(
    rf"(?:{_FILLER}|please|no|nope|nah|keepsake|{REASON}|{_REGRET}|that'?s (?:it|all|great|fine"
    rf"|good)|"
    r"how are you(?: doing)?(?: today)?)"
    rf"(?:[\s,]+(?:{_FILLER}|keepsake|assistant|there|please)){{0,4}}",
    re.IGNORECASE,
)
