"""Passwords given to a program on its command line: "curl -u kari:…", "mysql -p…"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.secrets.naming import has_one
from memory.secrets.scanning import scan
from memory.secrets.secret import Secret
from memory.secrets.wording import is_strong, value_at

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
_SIGNS = (
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


def command_lines(text: str) -> Iterator[Secret]:
    """What stands where the program expects a password; a variable or a placeholder stays."""
    if not has_one(_SIGNS, text):
        return
    for pattern in _CERTAIN:
        for match in scan(pattern, text):
            yield from _value(text, match.end(), at_least_strong=False)
    for pattern in (*_STRONG, _NET):
        for match in scan(pattern, text):
            yield from _value(text, match.end(), at_least_strong=True)
    for match in scan(_PIPED, text):
        yield Secret("password", *match.span("value"))


def _value(text: str, start: int, *, at_least_strong: bool) -> Iterator[Secret]:
    if (span := value_at(text, start)) is None:
        return
    value = text[slice(*span)]
    if _PLACEHOLDER.match(value) or (at_least_strong and not is_strong(value)):
        return
    yield Secret("password", *span)
