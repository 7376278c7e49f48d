"""Where the sentences and clauses of a text end, and whether it only asks. Pure, linear in the
length; questions are known in five languages, English best."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A run of marks is looked at from its beginning only, or a long one would take quadratic time.
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"”’')\]]*+(?=\s|$)|[。！？]+[」』”]*|\n")
_ABBREVIATED = re.compile(
    r"(?:\b(?i:e\.g|i\.e|dr|mrs?|ms|prof|st|vs|approx|nr|jr|sr|dept|jan|feb|aug|sept?|oct|nov"
    r"|dec)|\b[A-HJ-Z]|(?:^|\n)[ \t]*\d{1,2})\.$"
)
_LOOK_BACK = 12
_CLAUSE_END = re.compile(r"[,;:](?=\s)|(?=\s[–—-]\s)|[、，；]")


def sentence_ends(text: str) -> Iterator[int]:
    """The places after each final mark and before each line end. A full stop after an abbreviation,
    an initial or an item's number ends nothing."""
    for match in _SENTENCE_END.finditer(text):
        at = match.start() if match[0] == "\n" else match.end()
        if match[0] != "." or not _ABBREVIATED.search(text, max(0, at - _LOOK_BACK), at):
            yield at


def clause_ends(text: str) -> Iterator[int]:
    """The places after each comma, semicolon and colon, and before each dash between words."""
    return (match.end() for match in _CLAUSE_END.finditer(text))


def split_sentences(text: str) -> Iterator[str]:
    """The sentences with their final marks, without empty ones."""
    start = 0
    for end in sentence_ends(text):
        if piece := text[start:end].strip():
            yield piece
        start = end
    if rest := text[start:].strip():
        yield rest


# A mark inside quotation marks is somebody else's: My favourite book is "Who Moved My Cheese?"
_MARKED = re.compile(r"[?？؟՞][\s.!)\]*_]*$|^\s*¿.*\?")
_MOST_WORDS = 25
_FILLER = re.compile(
    r"(?:hi|hello|hey|thanks|thank you|ok|okay|please|well|so|sorry|excuse me|good (?:morning"
    r"|afternoon|evening|day)|(?:just|i was) (?:curious|wondering|asking)|(?:a )?quick question"
    r"|(?:one|another|next) question|question|i (?:forgot|forget)|i (?:can't|cannot|don't|do not)"
    r" (?:remember|recall|know)|by the way|btw|help|tell me|let me know)(?: \w+)?\W*$",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"^(?:(?:hi|hey|hello|ok|okay|please|oh|um|hmm+|well|sorry|excuse me|by the way|btw|quick"
    r" question|remind me|tell me)\b[\s,!.:–—-]*+)+",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|can|could|will|would|should|shall|has|have|had|may|might)"
    r"(?:n['’]t)?"
)
_SUBJECT = r"(?:i|you|we|they|he|she|it|there|this|that|my|your|our|his|her|their|the)"
# A second verb makes a headless clause of the first: "what's done is done", "who dares wins is …".
_HEADLESS = r"\s+(?:\w+\s+){1,3}(?:is|are|was|were|will)\b"
_OPENS = re.compile(
    rf"(?:and |so |but |then )?(?:(?:in|on|at|for|since|until|with|from|to|by|about)\s+)?(?:"
    rf"(?:who|what|when|where|why|how)(?:['’](?:s|re|d|ll)|s|\s+{_AUXILIARY})\b(?!{_HEADLESS})"
    rf"|who\s+(?P<does>[a-z]+)\b(?!.*\b(?:is|are|was|were|will|has|(?P=does))\b)"
    rf"|what\s+(?:happened|about)\b|why\s+not\b"
    rf"|how\s+(?:old|many|much|long|often|far|big|tall|high|late|early)\s+"
    rf"(?:(?!{_SUBJECT}\b)\w+\s+)?{_AUXILIARY}\b"
    rf"|(?:how|what)\s+(?!{_SUBJECT}\b|(?-i:[A-Z])|\w*[^\Ws]s\s+(?:is|was)\b)"
    rf"(?:\w+\s+){{1,4}}{_AUXILIARY}\s+(?:{_SUBJECT}\b|(?-i:[A-Z]))"
    rf"|(?:which|whose)\s+(?!{_SUBJECT}\b)"
    rf"(?:\w+\s+){{1,4}}{_AUXILIARY}\s+(?:{_SUBJECT}\b|(?-i:[A-Z]))"
    r")",
    re.IGNORECASE,
)
# The question word, then the verb, then the subject; where the subject comes first it is a part of
# a statement ("wo ich wohne, ist es laut"). Spanish writes its question words with an accent.
_GERMAN = (
    r"(?:und |aber |also )?(?:(?:mit|von|an|seit|bis|für|in|aus|zu|um|auf)\s+)?"
    r"(?:wer|wen|wem|wo|woher|wohin|wann|warum|wieso|was|wie|wie\s+viele?|welche[rsnm]?"
    r"|(?:(?:wie|welche[rsnm]?|wie\s+viele?|was\s+für\s+ein\w*)\s+"
    r"(?!(?:ich|du|er|sie|es|wir|ihr|man|mein|dein)\b)[^\W\d]+))\s+"
    r"(?:(?:ist|sind|bin|war|waren|hat|habe|haben|hatte|wird|werden|kann|können|muss|soll|darf"
    r"|heißt|heisst|heißen)\b(?!.*\w,\s)"
    r"|(?!(?:ich|du|er|sie|es|wir|ihr|man|mich|mir|uns)\b)[^\W\d]+\s+"
    r"(?:ich|du|wir|ihr|man|meine?[rnms]?|deine?[rnms]?|unsere?[rnms]?)\b)"
)
_GERMAN_VERB = r"(?:habe|hab|hatte|bin|war|kann|muss|soll|darf|werde)\s+ich\b(?!.*\w,\s)"
_SPANISH = (
    r"¿?(?:(?:y|pero) )?(?:(?:de|en|a|con|por|para|desde|hasta)\s+)?"
    r"(?:cuál(?:es)?|quién(?:es)?|dónde|adónde|cuándo|cómo|cuánt[oa]s?"
    r"|(?<=\w\s)qué|qué\s+(?:es|son|era|fue|he|ha|han))\b(?!.*!)"
)
_FRENCH = (
    r"(?:et |mais )?(?:(?:de|en|à|avec|pour|depuis|dans|d['’])\s*)?"
    r"(?:est-ce\s+qu|(?:où|qui|que|quoi|quand|comment|pourquoi|combien|quel(?:le)?s?)\b.{0,12}"
    r"\best-ce\s+qu|qu['’]est-ce\b"
    r"|(?:où|qui|quand|comment|quel(?:le)?s?)\s+(?:est|sont|était|étaient|a|ont)\b"
    r"|(?:où|que|quand|comment)\s+(?:[smtl]['’])?(?!(?:je|tu|il|elle|on|nous|vous)\b)"
    r"[^\W\d]+\s+(?:mon|ma|mes|ton|ta|tes|notre|nos|votre|vos)\b"
    r"|(?:(?:où|que|quand|comment|pourquoi|combien|quel(?:le)?s?\s+\w+)\s+)?[^\W\d]+(?:-t)?-"
    r"(?:je|il|elle|on|ils|elles)\b)"
)
_NORWEGIAN = (
    r"(?:og |men )?(?:(?:i|på|med|fra|til|for|siden)\s+)?"
    r"(?:hvem|hva|hvor|når|hvorfor|hvordan|hvilke[nt]?|hvor\s+\w+|hvilke[nt]?\s+\w+)\s+"
    r"(?:(?:er|var|har|hadde|kan|skal|vil|må|blir|heter|heiter)\b"
    r"|(?!(?:jeg|du|han|hun|det|vi|de|dere)\b)[^\W\d]+\s+"
    r"(?:jeg|du|vi|dere|min|mi|mitt|mine|din|vår)\b)"
)
_NORWEGIAN_VERB = r"(?:har|er|var|kan|skal|bor|heter|må)\s+(?:jeg|vi)\b(?!.*\w,\s)"
_OPENS_ELSEWHERE = re.compile(
    "|".join((_GERMAN, _GERMAN_VERB, _SPANISH, _FRENCH, _NORWEGIAN, _NORWEGIAN_VERB)), re.IGNORECASE
)
# "Which is why I left" goes on with what was said.
_GOES_ON = re.compile(r"which is (?:why|how|what|when|where)\b", re.IGNORECASE)
_INVERTED = re.compile(
    r"(?:(?:do|does|did|is|are|am|was|can|could|will|would|shall|have|has)(?:n['’]t)?"
    r"\s+(?:i|you|we|they|he|she|it|there)\b|(?:should|may)(?:n['’]t)?\s+(?:i|we|they|he|she|it)\b"
    r"|(?:is|are|does|can|could|would|should)\s+(?:my|your|our|his|her|their)\b)",
    re.IGNORECASE,
)
_TELLS_ME = re.compile(
    r"(?:tell|remind) me\s+(?:again\s+)?(?:who|what|which|whose|where|about)\b", re.IGNORECASE
)
_ASKED = re.compile(
    r"(?:(?:the |this )?user(?:\s+(?:has|had))?\s+(?:just\s+|once\s+|also\s+)*(?:asked|asks|asking"
    r"|is asking|was asking|wanted to know|wants to know|would like to know|inquired|enquired"
    r"|inquires|queried)|i\s+(?:just\s+|once\s+|also\s+)?asked)"
    r"(?:\s+(?:me|you|us|the assistant|keepsake))?,?"
    r"\s+(?:about|who|whom|what|when|where|which|whose|why|how|if|whether|a question)\b",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    r"[;–—]|\s-\s|\b(?:because|since|(?:and|but) (?:\w+ )?(?:was|were|is|are|has|had|got|found"
    r"|learn\w*|decided|the assistant|the answer)|the answer (?:is|was))\b",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",\s*(?:right|no|yes|ok|okay|remember|correct|eh|huh|you know"
    rf"|{_AUXILIARY}\s+(?:i|you|we|they|he|she|it|there))\s*\?+$",
    re.IGNORECASE,
)
# What is told before the question of the same sentence: "My son can't eat nuts, what can I bake?"
_TOLD_FIRST = re.compile(
    r"^(?:(?:and|but|so|since|because|as|now that|given that)\s+)?"
    r"(?!(?:if|when|whenever|while|who|what|where|which|whose|why|how|in|on|at|for|with|about"
    rf"|regarding|according|based|to|by|between|after|before|{_AUXILIARY})\b)"
    r"(?:i|we|my|our|he|she|it|they|there|the|(?-i:[A-Z])\w*)(?:['’]\w+)?"
    r"(?:\s+\S+){2,}?(?:[,;:–—](?=\s)|\s[–—-]\s)",
    re.IGNORECASE,
)
_ONLY_LEADS = re.compile(
    r"^(?:i(?:['’]m| am| was)(?: just)? (?:curious|wondering|asking)|i(?:['’]d| would) like to know"
    r"|i (?:just )?(?:want|need|wanted) to (?:know|ask)|i have a question)\b[\s,:–—-]*",
    re.IGNORECASE,
)
# What somebody is asked to know is told: "do you know I have two sons?"
_TELLS_BY_ASKING = re.compile(
    r"^(?:and |so )?(?:(?:do|did)(?:n['’]t)? (?:you|ye|u) (?:know|remember|realise|realize|hear)"
    r",? (?:that\b|(?:i|we|he|she|they)\b)"
    r"|did i (?:ever )?(?:tell you|mention|say) (?:that\b|(?:i|we|he|she|they)\b)"
    r"|(?:can|would) you believe|(?:can|could|will|would) you (?:please )?(?:"
    r"(?:always|never)|remember that|(?:please )?call me)"
    r"|(?:weißt|wusstest|wüsstest|wissen|wussten) (?:du|ihr|sie)\b.{0,20}\bdass"
    r"|¿?(?:(?:tú|a que no) )?(?:sab[eé]s|sabías|sabe|sabían|te acuerdas de) que"
    r"|(?:(?:tu|vous) )?(?:sais|savais|savez|saviez)(?:-tu|-vous)? qu(?:e|['’])"
    r"|(?:vet|visste|husker) (?:du|dere)\b.{0,20}\bat)(?!\w)",
    re.IGNORECASE,
)
_NAMES_FAVOURITE = re.compile(r"(?:my|our|his|her|their|the user['’]s) favou?rite\b", re.IGNORECASE)


def is_question(content: str) -> bool:
    """Whether the text asks and tells nothing, in all of its sentences.

    "When is Ada's recital? On Friday." tells, and so do "We live in Oslo, don't we?", "My son can't
    eat nuts, what can I bake?", "I wonder whether Tom is back" and "My favourite question is why".
    A question of more than 25 words tells as well: it brings along what it is about.
    """
    asks = False
    for sentence in split_sentences(content):
        if _asks(sentence):
            asks = True
        elif not _FILLER.match(sentence):
            return False
    return asks


def _asks(sentence: str) -> bool:
    if _ASKED.match(sentence):
        return _ANSWERED.search(sentence) is None
    if _TELLS_ME.match(sentence):
        return True
    bare = _LEAD_IN.sub("", sentence)
    if _TELLS_BY_ASKING.match(bare) or _GOES_ON.match(bare) or len(bare.split()) > _MOST_WORDS:
        return False
    if any(opening.match(bare) for opening in (_OPENS, _INVERTED, _OPENS_ELSEWHERE)):
        return True
    return _MARKED.search(sentence) is not None and not _tells_first(_ONLY_LEADS.sub("", bare))


def _tells_first(sentence: str) -> bool:
    return _NAMES_FAVOURITE.match(sentence) is not None or any(
        pattern.search(sentence) for pattern in (_TAG, _TOLD_FIRST)
    )
