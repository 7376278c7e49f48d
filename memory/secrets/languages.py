"""Passwords that are called so in another language than English: "mein Passwort ist …"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.secrets.naming import has_one, is_strong_alone
from memory.secrets.scanning import scan
from memory.secrets.secret import Secret
from memory.secrets.wording import value_at

# Norwegian, Danish, Swedish; German; French; Spanish; Italian; Portuguese; Dutch; Polish, Czech;
# Finnish, Hungarian; Turkish; Russian, Ukrainian; "password" itself, which many of them say.
_NAMES = (
    r"(?i:passord(?:et|ene|a)?|adgangskode[nr]?|kodeord(?:et)?|l[øö]senord(?:et|en)?"
    r"|passw(?:o|ö)rt(?:er|s)?|kennw(?:o|ö)rt(?:er|s)?|mots?\sde\spasse|\bmdp|contrase(?:ñ|n|n\u0303)as?"
    r"|\b(?:mi|tu|su|nuestra)\sclave|\bclave(?=\s?[:=]|\sdel?\s)|parola\s(?:d['’]ordine|chiave)|senhas?|palavras?-passe|wachtwoord(?:en)?|\bhas(?:ł|l)[oa]"
    r"|\bheslo|\bjelsz(?:ó|o)|salasana(?:ni|mme)?|(?:ş|s)ifre(?:m|si|niz|miz)?|\bparola(?:m|sı)?"
    r"|\bпарол[ьяі]|\bpasswords?|\bwifi-?kode)(?![^\W\d_])"
)
_WHOSE = r"(?:\s[\w'’.@&-]{1,40}){0,5}?"
_VERB = (
    r"(?i:er|är|ist|lautet|war|var|est|était|c['’]est|es|era|è|e['’]|é|is|was|luidt|to|jest|brzmi|je"
    r"|on|oli|olur|это|был|—|–|-)"
)
_ADVERB = (
    r"(?:(?i:nå|nu|også|också|auch|jetzt|noch|maintenant|aussi|toujours|ahora|también|ora|anche|agora"
    r"|também|nog|ook|teraz|też|nyt|myös|artık|теперь|тоже)\s)?"
)
_IS = re.compile(rf"{_NAMES}{_WHOSE},?\s{_VERB}\s?:?\s{_ADVERB}(?=\S)")
_SIGN = re.compile(
    rf"{_NAMES}(?P<whose>{_WHOSE})\s?(?:[:=]|→|->)[ \t\u00a0]{{0,3}}\n?[ \t]{{0,3}}(?=\S)"
)
_BESIDE = re.compile(rf"{_NAMES}\s(?=\S)")
# Chinese, Japanese, Korean; Arabic, Hindi: no spaces, or the verb behind. The value is of ASCII.
_OTHER_SCRIPTS = re.compile(
    r"(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|كلمة\s(?:المرور|السر)|पासवर्ड)"
    r"[^\n。！!?？,，]{0,12}?(?<![!-~])[\"'「“]?(?P<value>[!-~]{4,64})"
)
_SIGNS = (
    *("pass", "kode", "senord", "kennw", "mdp", "contrase", "clave", "parola", "senha", "wachtw"),
    *(
        "has",
        "heslo",
        "jelsz",
        "salasana",
        "ifre",
        "парол",
        "密",
        "口令",
        "パス",
        "暗証",
        "비밀번호",
    ),
    *("암호", "كلمة", "पासवर्ड"),
)
_DIGIT_OR_SIGN = re.compile(r"[0-9@#$%^&*+=~|\\]|!.")
_COUNT = re.compile(r"[0-9]{1,3}\s?%?$|[0-9]{1,4}[-/.][0-9]{1,2}[-/.]")
_ABOUT = re.compile(
    r"(?i:vergessen|erforderlich|falsch|geändert|glemt|feil|endret|påkrevd|oubli\w*|requis\w*|aide\w*"
    r"|obligatoi?re|obligatori[ao]|olvidad[ao]|incorrect[ao]?|requerid[ao]|errata|dimenticat[ao]"
    r"|sbagliat[ao]|esquecid[ao]|vergeten|verplicht|onjuist|verkeerd|wymagane|zapomniałem|unohtunut"
    r"|unuttum|glömt|krävs|fel|hjelp|hilfe|hulp|ayuda|aiuto|ajuda|pomoc\w*|apua|yardım)\b"
)
_ONE_WORD_LEFT = re.compile(r"[\"'”»]?[.;,!]?\s*(?:\n|$)")
_LEAST_PLAIN = 5


def passwords_elsewhere(text: str) -> Iterator[Secret]:
    """Behind a verb only what holds a digit or a sign: nothing here knows these languages' words.

    Behind a colon a single word that ends the line is one too.
    """
    if not has_one(_SIGNS, text):
        return
    for match in scan(_IS, text):
        yield from _value(text, match.end(), plain=False)
    for match in scan(_SIGN, text):
        yield from _value(text, match.end(), plain=not match["whose"])
    for match in scan(_BESIDE, text):
        span = value_at(text, match.end())
        if span and is_strong_alone(text[slice(*span)]):
            yield Secret("password", *span)
    for match in scan(_OTHER_SCRIPTS, text):
        if _is_strong(match["value"]):
            start = match.start("value")
            yield Secret("password", start, start + len(match["value"].rstrip(".,;:)\"'")))


def _value(text: str, start: int, *, plain: bool) -> Iterator[Secret]:
    if (span := value_at(text, start)) is None:
        return
    value = text[slice(*span)]
    alone = len(value) >= _LEAST_PLAIN and _ONE_WORD_LEFT.match(text, span[1])
    if _is_strong(value) or (plain and alone and not _ABOUT.match(value)):
        yield Secret("password", *span)


def _is_strong(value: str) -> bool:
    return bool(_DIGIT_OR_SIGN.search(value)) and not _COUNT.match(value)
