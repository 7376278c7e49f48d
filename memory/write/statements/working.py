"""Where somebody works and as what. Pure, English."""

from __future__ import annotations

import re
from collections.abc import Iterator

_JOBS = (
    r"(?:engineer|developer|programmer|nurse|doctor|teacher|lawyer|attorney|architect|designer"
    r"|accountant|consultant|manager|director|professor|researcher|scientist|analyst|chef|cook"
    r"|baker|waiter|waitress|barista|carpenter|electrician|plumber|mechanic|pilot|driver|farmer"
    r"|fisherman|journalist|editor|translator|librarian|dentist|pharmacist|vet|veterinarian"
    r"|psychologist|therapist|physiotherapist|paramedic|firefighter|policeman|police officer"
    r"|soldier|salesman|salesperson|realtor|banker|trader|economist|geologist|biologist|chemist"
    r"|physicist|mathematician|statistician|administrator|secretary|receptionist|cashier"
    r"|hairdresser|barber|tailor|photographer|illustrator|artist|writer|author|musician|actor"
    r"|actress|singer|coach|trainer|recruiter|marketer|product owner|lead|ceo|cto|cfo|coo"
    r"|vp|head of [\w ]+|freelancer|contractor|founder|owner of [\w ]+|surgeon|midwife|judge"
    r"|social worker|data scientist|technician|operator|intern|apprentice|student|principal"
    r"|headmaster|lecturer|postdoc|tutor|optician|surveyor|planner|welder|painter|butcher|florist)"
)
_EMPLOYED = re.compile(
    r"^(?:have |has |am |is )?(?:works?|worked|working|employed) (?:full[- ]time )?(?:at|for|by)"
    r" (?P<where>.+?)(?: as (?:an? |the )?(?P<job>.+))?$"
    r"|^(?:works?|working|worked|started|was hired|got hired|hired) as (?:an? |the"
    r" )?(?P<job2>.+?)(?: (?:at|for) (?P<where2>.+))?$"
)
_JOINED = re.compile(
    r"^(?:have |has )?(?:joined|started (?:working )?(?:at|with|for)|(?:got|took|accepted|started"
    r"|have) (?:an? )?(?:new )?(?:job|position|role)(?: offer)? (?:at|with|for)|switched jobs? to"
    r"|changed jobs? to|moved jobs? to|was hired (?:by|at)|got hired (?:by|at))"
    r" (?P<where>.+?)(?: as (?:an? |the )?(?P<job>.+))?$"
)
_LEFT = re.compile(
    r"^(?:have |has )?(?:quit|left|lost|resigned from)(?: from)? (?:my|his|her|our|the) job"
    r"(?: (?:at|with|as) (?P<where>.+))?$"
    r"|^(?:have |has )?(?:quit|left|resigned from|was fired from|got fired from|was laid off from"
    r"|got laid off from) (?P<where2>(?!my |the |a |for |home|it )[\w' -]+)$"
)
_NO_WORK = re.compile(
    r"^(?:am |is |have |has |was |got |became )?(?:been |become )?(?:retired|unemployed|jobless"
    r"|between jobs|out of work|laid off|fired|resigned|out of a job)\b"
)
_OTHER_WORK = re.compile(
    r"^(?:have |has )?(?:(?:changed|switched) jobs?|(?:found|got|started|have) a (?:new )?job"
    r"|have a (?:new )?employer|handed in (?:my|his|her) notice)(?: (?:at|with) [\w' -]+)?$"
)
_OWN_BOSS = re.compile(r"^(?:am |is )(?:self-employed|freelancing)$")
_JOB = re.compile(
    rf"^(?:am|is|(?:have |has )?become|became|(?:have |has )?been promoted to|got promoted to"
    rf"|was promoted to|promoted to|work as)"
    rf" (?:an? |the )?(?P<job>(?!my |our |his |her )(?:[\w-]+ ){{0,3}}?{_JOBS})(?P<at>(?: (?:at"
    rf"|for|with) .+)?)$"
)
_NO_EMPLOYER = re.compile(
    r"^(?:home|myself|fun|free|night|weekends?|least|a living|the moment|it|a few|\d|the same|hours"
    r"|my desk|once|the weekend|this|that|charity|peace)\b"
)
_CLUB = re.compile(
    r"\b(?:gym|club|choir|team|band|class|course|church|meetup|group|league|party|call|meeting)\b"
)


def work_of(predicate: str) -> Iterator[tuple[str, str, bool]]:
    """("employer" or "job", value, denied); an empty value denied: no work at all."""
    if match := _EMPLOYED.match(predicate) or _JOINED.match(predicate):
        yield from _employed(match)
    elif match := _JOB.match(predicate):
        yield from _both(re.sub(r"^ (?:at|for|with) ", "", match["at"]), match["job"])
    else:
        yield from _no_longer(predicate)


def _employed(match: re.Match[str]) -> Iterator[tuple[str, str, bool]]:
    said = match.groupdict()
    where, job = said["where"] or said.get("where2"), said["job"] or said.get("job2")
    if where and re.fullmatch(r"(?:my|him|her)self", where):
        yield "employer", "self", False
    elif match.re is not _JOINED or not _CLUB.search(where or ""):
        yield from _both(where, job)


def _no_longer(predicate: str) -> Iterator[tuple[str, str, bool]]:
    """An employer that was left; every one where one lost, changed or never had work."""
    if match := _LEFT.match(predicate):
        where = match["where"] or match["where2"] or ""
        if not _CLUB.search(where):
            yield "employer", where, True
            yield from [] if where else [("job", "", True)]
    elif _OTHER_WORK.match(predicate):
        yield "employer", "", True
    elif _NO_WORK.match(predicate):
        yield "employer", "", True
        yield "job", "", True
    elif _OWN_BOSS.match(predicate):
        yield "employer", "self", False


def _both(where: str | None, job: str | None) -> Iterator[tuple[str, str, bool]]:
    if where and not _NO_EMPLOYER.match(where):
        yield "employer", where, False
    if job:
        yield "job", job, False
