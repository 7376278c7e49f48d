"""Passwords, PINs and codes: called by their name in English or other languages, beside a login, or
on a command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memory.secrets.patterns import (
    IS,
    NAMES,
    WHOSE,
    Secret,
    contains_any,
    is_likely_password,
    is_strong,
    is_strong_alone,
    password_span,
    scan_in_pieces,
)

_PIN = re.compile(
    rf"""(?<![A-Za-z])
      (?:(?P<pin>(?i:pin|p\.i\.n\.)(?:[\s-]?(?i:code|number))?)
        |(?i:(?:door|gate|alarm|entry|access|unlock|lock|safe|garage|building|house|phone)['’]?s?
             \s(?:code|combination|combo|pin))
        |(?i:(?:verification|one[\s-]time|confirmation|login|2fa|reset|sms|security)\scode|otp)
        |(?i:(?:code|combination)\s(?:for|to|of)\s(?:[\w'’]{{1,20}}\s){{0,3}}?
             (?:door|gate|alarm|lock|locker|safe|garage|building|entrance|house|phone)))
      {WHOSE}
      (?:(?:\s(?i:is|was)|['’]s)?\s?[:=]?\s?(?:(?i:now|still)\s)?)
      (?<!\w)(?P<value>[#*]?
        (?:[0-9]{{4,12}}|[0-9](?:[ -][0-9]){{3,7}}|[0-9]{{1,2}}(?:-[0-9]{{1,2}}){{2,3}})
        [#*]?)(?![\w/:]|[.,-][0-9])""",
    re.VERBOSE,
)
_PIN_IS_MEANT = re.compile(r"(?i:is|was|['’]s|[:=]|code|number)|PIN|P\.I\.N\.")
_OWNER = re.compile(r"(?i:\b(?:my|our|the|card|sim|your|his|her|their)\s)$")
_CODE_LOOK_BACK = 12
_CODES = re.compile(
    r"(?<![^\W_])(?i:(?:backup|back-up|recovery|rescue|scratch|emergency|one[\s-]time"
    r"|2fa|mfa|two[\s-]factor|two[\s-]step|authenticator|login|reset)(?:[\s-](?:backup|recovery|rescue|login|access))?)"
    rf"[\s_-](?i:codes?){WHOSE}(?:{IS}|\s{{1,2}})(?=\S)"
)
# Four digits at least, or letters with digits; in groups with a hyphen or none.
_CODE = re.compile(
    r"(?:[-*•]\s)?[\"'“‘`(#]{0,2}(?![0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?P<value>(?:[0-9]{4,12}|(?=[A-Za-z-]{0,12}[0-9])[A-Za-z0-9]{6,12}"
    r"|(?=[A-Za-z-]{0,24}[0-9])[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8}){1,5}))(?![\w%-]|[.,:/][0-9])"
)
_NEXT_CODE = re.compile(
    r"[\"'”’`)]?(?:\s?[,;/|.]\s?(?:(?i:and|or)\s)?|\s(?i:and|or|&)\s|\s{1,3})[-*•]?\s?"
)
_SIGNS_OF_A_CODE = ("pin", "p.i.n", "code", "combination", "combo", "otp")


def find_codes(text: str) -> Iterator[Secret]:
    """PINs and the codes of doors, alarms and logins; digits only."""
    if not contains_any(_SIGNS_OF_A_CODE, text):
        return
    for match in scan_in_pieces(_PIN, text):
        before = text[max(0, match.start() - _CODE_LOOK_BACK) : match.start()]
        said = text[match.start() : match.start("value")]
        if match["pin"] is None or _PIN_IS_MEANT.search(said) or _OWNER.search(before):
            yield Secret("PIN", *match.span("value"))
    for match in scan_in_pieces(_CODES, text):
        yield from _listed(text, match.end())


def _listed(text: str, start: int) -> Iterator[Secret]:
    """One code and those that follow it."""
    code = _CODE.match(text, start)
    while code:
        yield Secret("PIN", *code.span("value"))
        following = _NEXT_CODE.match(text, code.end("value"))
        code = _CODE.match(text, following.end()) if following else None


_PASSWORD_IS = re.compile(f"{NAMES}{WHOSE}{IS}")
_STRONG_BESIDE = (
    re.compile(rf"{NAMES}\s(?:(?i:to|as|of|from)\s)?(?=\S)"),
    re.compile(rf"{NAMES}(?:\s\S{{1,40}}){{1,4}}?\s(?i:to)\s(?=\S)"),  # on the router to …
    re.compile(r"(?<![A-Za-z])[Pp]ass\s?[:=]\s?(?=\S)"),
)
# "… is the name of my first dog, Fido123"; "I have a new password. It is Fido123".
_DESCRIBED = re.compile(
    rf"{NAMES}{WHOSE}(?:\s(?i:is|was)|['’]s)\s"
    r"(?i:the|my|our|his|her|their|a|an|just|still|like|based|made|something|what|one)\s"
    r"[^\n.!?,:;(–—]{2,80}(?:[,:;–—]|\s-|\s\(|\s[–—])\s?"
    r"(?:(?i:so|namely|thus|i\.e\.|which\sis|that\sis|it\sis|it['’]s|that['’]s),?\s)?(?=\S)"
)
_SAID_AFTER = re.compile(
    rf"{NAMES}[^\n.!?]{{0,60}}[.!?…,;:–-]?\s{{1,3}}"
    r"(?i:it|that|this|the\snew\sone|mine)(?:\s(?i:is|was)|['’]s)(?:\s(?i:now|called))?:?\s{1,2}(?=\S)"
)
_STRONG_BEFORE = re.compile(
    r"(?<!\S)[\"'“‘`]?(?P<value>\S{4,64}?)[\"'”’`]?\s(?i:is|was|as|for)\s(?i:my|our|the|your|his|her|their|a|an|new)\s"
    r"(?:[\w'’-]{1,30}\s){0,3}?(?i:password|passcode|passphrase|(?P<pin>pin))\b(?!\s(?i:manager|app))"
)
_SEED_PHRASE = re.compile(
    rf"(?i:(?:seed|recovery|secret|backup)\s(?:phrase|words)|mnemonic(?:\s(?:phrase|words))?){WHOSE}{IS}[\"'“]?"
    r"((?:[a-z]{3,8}[\s,]{1,2}){11,23}[a-z]{3,8})(?![a-z])"  # BIP 39: 12 to 24 words
)
_NEXT_PASSWORD = re.compile(r",?\s(?:and|or)\s|,\s")
# One of these stands in every text that can match; looking for them first is far cheaper.
_SIGNS_OF_A_PASSWORD = ("pass", "pwd", "kennwort", "key", "phrase", "mnemonic", "words", "pin")


def find_passwords(text: str) -> Iterator[Secret]:
    """What is named a password, in both orders: "the password is X" and "X is the password"."""
    if not contains_any(_SIGNS_OF_A_PASSWORD, text):
        return
    for match in scan_in_pieces(_PASSWORD_IS, text):
        span = password_span(text, match.end())
        if span and not (match["next_line"] and not is_strong(text[slice(*span)])):
            yield Secret("password", *span)
            yield from _more_passwords(text, span[1])
    for match in scan_in_pieces(_SEED_PHRASE, text):
        yield Secret("password", *match.span(match.lastindex or 0))
    yield from _strong_ones(text)


def _strong_ones(text: str) -> Iterator[Secret]:
    """Where no verb says so, only what cannot be a word counts."""
    for pattern in _STRONG_BESIDE:
        for match in scan_in_pieces(pattern, text):
            span = password_span(text, match.end())
            if span and is_strong_alone(text[slice(*span)]):
                yield Secret("password", *span)
    for pattern in (_DESCRIBED, _SAID_AFTER):
        for match in scan_in_pieces(pattern, text):
            span = password_span(text, match.end())
            if span and is_likely_password(text[slice(*span)]):
                yield Secret("password", *span)
    for match in scan_in_pieces(_STRONG_BEFORE, text):
        if is_strong(match["value"]):
            yield Secret("PIN" if match["pin"] else "password", *match.span("value"))


def _more_passwords(text: str, end: int) -> Iterator[Secret]:
    """ "… and hunter3", for as long as letters and digits show that it is another."""
    while following := _NEXT_PASSWORD.match(text, end):
        span = password_span(text, following.end())
        if span is None or not is_strong_alone(text[slice(*span)]):
            return
        yield Secret("password", *span)
        end = span[1]


_SHORT = r"(?<![^\W_])(?i:pw|psw|pswd|pword|passwrd)"
_SHORT_IS = re.compile(f"{_SHORT}{WHOSE}{IS}")
_PASS_IS = re.compile(rf"(?<![^\W_])(?i:pass){WHOSE}{IS}")
_SHORT_BESIDE = re.compile(rf"{_SHORT}\s(?=\S)")
# A pass that opens gates, not accounts.
_OTHER_PASS = re.compile(
    r"\b(?i:ski|lift|boarding|bus|train|rail|tram|ferry|season|day|week|month(?:ly)?|annual|press"
    r"|hall|travel|mountain|gym|museum|parking|festival|backstage|visitor|transit|metro|free|game"
    r"|battle|park|toll|swim|high|low|first|second|next)['’]?s?[\s-]$"
)
_LOGIN_LOOK_BACK = 14

_NAME = r"[\"'“‘`]?[^\s/|,;]{2,64}?[\"'”’`]?"
_LOGIN_IS = re.compile(
    r"(?<![^\W_])(?i:log-?ins?|logon|credentials?|creds|sign-?in)(?:\s(?i:details|info|data))?"
    rf"{WHOSE}(?:\s(?i:is|are|was|were)|['’]s)?\s?[:=]?\s{_NAME}"
    r"(?:\s?[/|,;:]\s?|\s(?i:and|with|then|-|–)\s)(?=\S)"
)
_USER_IS = re.compile(
    r"(?<![^\W_])(?i:user(?:\s?name|\s?id)?|account|e-?mail)(?:\s(?i:is))?\s?[:=]?\s"
    rf"{_NAME}(?:\s?[/|]\s?|,?\s(?i:and|with)\s|,?\s(?:(?i:and)\s)?(?i:pass)\s?[:=]?\s?)(?=\S)"
)
# With "as" comes a name; with "with" only an address or what a stroke sets apart is surely one.
_LOG_IN = re.compile(
    r"(?<![^\W_])(?i:log(?:ged|ging)?|sign(?:ed|ing)?)(?:\s?(?i:in|on|into|onto))?"
    r"(?:\s[^\s,;]{1,40}){0,5}?\s"
    rf"(?:(?i:as)\s(?:(?i:user(?:name)?)\s)?{_NAME}(?:\s?[/|,;:]\s?|,?\s(?i:and|with|using|then)\s)"
    r"|(?i:with|using|by)\s(?:[^\s/|,;@]{1,64}@[^\s/|,;]{1,64}(?:\s?[/|,;:]\s?|,?\s(?i:and|with|then)\s)"
    rf"|{_NAME}\s?[/|]\s?))(?:(?i:my|the)\s)?(?=\S)"
)
_LOGIN_SIGNS = (
    "pass",
    "pw",
    "psw",
    "pword",
    "log",
    "sign",
    "cred",
    "user",
    "account",
    "mail",
    "ssh",
    "connect",
)
_KINDS_OF_SIGN = ("[a-z]", "[A-Z]", "[0-9]", r"[^\w\s]")
_LEAST_KINDS = 3


def find_logins(text: str) -> Iterator[Secret]:
    """Passwords called by a short name, or standing behind a user's name."""
    if not contains_any(_LOGIN_SIGNS, text):
        return
    for match in scan_in_pieces(_SHORT_IS, text):
        yield from _login_value(text, match.end(), bool if match["sign"] else is_strong)
    for match in scan_in_pieces(_PASS_IS, text):
        if not _OTHER_PASS.search(text[max(0, match.start() - _LOGIN_LOOK_BACK) : match.start()]):
            yield from _login_value(text, match.end(), is_likely_password)
    for pattern in (_SHORT_BESIDE, _LOGIN_IS, _LOG_IN):
        for match in scan_in_pieces(pattern, text):
            yield from _login_value(text, match.end(), is_likely_password)
    for match in scan_in_pieces(_USER_IS, text):
        yield from _login_value(text, match.end(), _is_mixed)


def _login_value(text: str, start: int, accepted: Callable[[str], bool]) -> Iterator[Secret]:
    span = password_span(text, start)
    if span and accepted(text[slice(*span)]):
        yield Secret("password", *span)


def _is_mixed(value: str) -> bool:
    """Behind a mere user name it takes three of small letters, capitals, digits and signs."""
    kinds = sum(re.search(kind, value) is not None for kind in _KINDS_OF_SIGN)
    return is_likely_password(value) and kinds >= _LEAST_KINDS


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
_FOREIGN_SIGNS = (
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


def find_foreign_passwords(text: str) -> Iterator[Secret]:
    """Behind a verb only what holds a digit or a sign: nothing here knows these languages' words.

    Behind a colon a single word that ends the line is one too.
    """
    if not contains_any(_FOREIGN_SIGNS, text):
        return
    for match in scan_in_pieces(_IS, text):
        yield from _foreign_value(text, match.end(), plain=False)
    for match in scan_in_pieces(_SIGN, text):
        yield from _foreign_value(text, match.end(), plain=not match["whose"])
    for match in scan_in_pieces(_BESIDE, text):
        span = password_span(text, match.end())
        if span and is_strong_alone(text[slice(*span)]):
            yield Secret("password", *span)
    for match in scan_in_pieces(_OTHER_SCRIPTS, text):
        if _is_strong(match["value"]):
            start = match.start("value")
            yield Secret("password", start, start + len(match["value"].rstrip(".,;:)\"'")))


def _foreign_value(text: str, start: int, *, plain: bool) -> Iterator[Secret]:
    if (span := password_span(text, start)) is None:
        return
    value = text[slice(*span)]
    alone = len(value) >= _LEAST_PLAIN and _ONE_WORD_LEFT.match(text, span[1])
    if _is_strong(value) or (plain and alone and not _ABOUT.match(value)):
        yield Secret("password", *span)


def _is_strong(value: str) -> bool:
    return bool(_DIGIT_OR_SIGN.search(value)) and not _COUNT.match(value)


_UP_TO = r"(?:\.exe)?(?=\s)[^\n|]{0,200}?\s"
_QUOTE = r"[\"']?"


def _program(names: str, option: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{names}){_UP_TO}{option}(?=\S)")


# The option says by its form that a password follows: a plain word is one too.
_CERTAIN = (
    _program(
        "curl|wget|https?|xh|ab|siege",
        rf"(?:-[uUa]|--user|--proxy-user|--auth)(?:\s{{1,2}}|=)?{_QUOTE}[^\s:\"']{{1,64}}:(?!//)",
    ),
    _program(r"(?:mysql|mariadb)\w*(?:-\w+)*", rf"-p(?!ort\b|rotocol\b|lugin)(?={_QUOTE}\S)"),
    _program("sshpass", r"-p\s?"),
    _program(
        "smbclient|rpcclient|smbmap|crackmapexec|nxc", rf"(?:-U|--user)[\s=]{_QUOTE}[^\s%]{{1,64}}%"
    ),
    _program("7za?|7zz|rar|unrar", r"-p"),
    _program("x?freerdp|mstsc|cmdkey|runas|schtasks", r"/(?:p|pass|rp):"),
    _program("openssl|keytool", r"(?:-\w{1,20}\s)?pass:"),
)
# The same letter means other things too: what follows must hold a digit or a sign.
_STRONG = (
    _program("redis-cli|http|xh", r"(?:-a|--pass)\s"),
    _program("docker|podman|helm|az|nerdctl|oc|skopeo|buildah", r"login\s[^\n|]{0,120}?-p\s"),
    _program(r"mongo\w*|cqlsh|influx|rdesktop|clickhouse-client|htpasswd|useradd|usermod", r"-p\s"),
    _program("unzip|zip|sqlcmd|bcp|mosquitto_(?:pub|sub)|ipmitool", r"-P\s?"),
    _program("ldap(?:search|modify|add|delete|passwd|whoami)", r"-w\s?"),
    _program("plink|pscp|psftp|putty|kitty", r"-pw\s"),
    _program("htpasswd", r"-\w{0,4}b\w{0,4}\s[^\s]{1,100}\s[^\s]{1,64}\s"),
)
_NET = re.compile(
    r"(?<![\w-])(?i:net1?(?:\.exe)?\s(?:user\s[^\s/]{1,64}|use\s[^\n|]{1,120}?(?:/user:\S{1,64}"
    r"|\\\\\S{1,80})))\s(?=[^\s/*])"
)
_PIPED = re.compile(
    r"(?<![\w-])(?:echo|printf)\s{1,2}(?:-\w\s)?[\"']?(?P<value>[^\s\"'|$]{2,100})[\"']?\s{0,2}\|\s{0,2}"
    r"(?:\w+\s)?(?:sudo\s(?:-\w\s)?-S|chpasswd|passwd\s--stdin|smbpasswd|docker\slogin|kinit)"
)
_PLACEHOLDER = re.compile(
    r"(?i:pass|passwd|passwort|pwd|pw|user|pass\w*:\w*|yourpass\w*|admin\b)$|-"
)
_COMMAND_LINE_SIGNS = (
    *(
        "curl",
        "wget",
        "http",
        "xh",
        "siege",
        "ab ",
        "mysql",
        "mariadb",
        "sshpass",
        "smb",
        "rpc",
        "7z",
    ),
    *("rar", "rdp", "mstsc", "cmdkey", "runas", "ssl", "keytool", "redis", "login", "mongo", "cql"),
    *("influx", "rdesktop", "clickhouse", "htpasswd", "user", "zip", "sqlcmd", "bcp", "mosquitto"),
    *("ipmitool", "ldap", "plink", "pscp", "psftp", "putty", "kitty", "net ", "net1", "net.exe"),
    *("echo", "printf", "nxc", "crackmapexec", "schtasks"),
)


def find_command_line_passwords(text: str) -> Iterator[Secret]:
    """What stands where the program expects a password; a variable or a placeholder stays."""
    if not contains_any(_COMMAND_LINE_SIGNS, text):
        return
    for pattern in _CERTAIN:
        for match in scan_in_pieces(pattern, text):
            yield from _command_line_value(text, match.end(), at_least_strong=False)
    for pattern in (*_STRONG, _NET):
        for match in scan_in_pieces(pattern, text):
            yield from _command_line_value(text, match.end(), at_least_strong=True)
    for match in scan_in_pieces(_PIPED, text):
        yield Secret("password", *match.span("value"))


def _command_line_value(text: str, start: int, *, at_least_strong: bool) -> Iterator[Secret]:
    if (span := password_span(text, start)) is None:
        return
    value = text[slice(*span)]
    if _PLACEHOLDER.match(value) or (at_least_strong and not is_strong(value)):
        return
    yield Secret("password", *span)
