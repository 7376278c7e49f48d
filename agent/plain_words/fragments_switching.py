"""Pieces of the patterns that turn memory and incognito on and off."""

from __future__ import annotations

OFF = r"(?:turn|switch|shut) (?:back )?off|disable|deactivate|pause|suspend|stop|kill|halt|freeze"
ON = (
    r"(?:turn|switch) (?:back )?on|(?:re-?)?enable|(?:re-?)?activate|resume|unpause|restart|start"
    r"|reinstate|switch back on"
)
READ_ONLY = r"read[- ]?only"
THINGS = (
    r"(?:things?|stuff|anything|everything|facts|memories|(?:my )?data|info|information|details"
    r"|notes"
    r"|what i (?:say|tell you|write)|whatever i (?:say|tell you)|any (?:memories|data"
    r"|facts|info)|all (?:this|of this))"
)
I_SAY = (
    r"(?: (?:else|more|that i (?:say|tell you|write)|i (?:say|tell you|write)|i'm saying|about me"
    r"|on me|from me|of what i say|from (?:my|our) (?:chats|conversations)|said here))*"
)
REMEMBERING = (
    r"(?:remembering|saving|storing|recording|memori[sz]ing|keeping|collecting|logging|retaining"
    r"|learning|taking notes (?:on|of)|writing down|tracking)"
)
STORE = (
    r"(?:remember|save|store|record|memori[sz]e|keep|collect|log|retain|learn|write down|note"
    r"|track)"
)
NEW = r"(?: (?:new|more|else|further|additional|any ?more))"
NOT_WRITE = (
    r"(?:(?:remember|save|store|add|learn|write|keep|record) nothing(?: (?:new|more|else|further))*"
    r"(?: (?:to|in) (?:your |my )?memory)?|no (?:more )?(?:new |additional )+(?:memories|things"
    r"|facts"
    r"|ones|stuff)|nothing new(?: (?:should|must) be (?:saved|stored|added))?"
    r"|(?:don'?t|do not|never|without|not|no|stop)(?: to)? (?:you )?(?:sav(?:e|ing)|add(?:ing)?"
    r"|writ(?:e|ing)|stor(?:e|ing)|remember(?:ing)?|learn(?:ing)?|keep(?:ing)?|record(?:ing)?"
    r"|chang(?:e|ing)|updat(?:e|ing))"
    r"(?: (?:anything|things|stuff|any|to|in|down|it|memory|memories|your memory|my memory|new"
    r"|more|ones|notes|details"
    r"|else|facts|of it|this chat|this conversation|what i say|about me|information))*)"
)
READ = (
    r"(?:(?:keep|hold on to) what you (?:already )?(?:know|have|remember)(?: about me)?"
    r"|(?:recall|use|know) (?:things|stuff)|(?:keep|have|with) (?:read )?access to (?:my|your|the) "
    r"(?:memory|memories)"
    r"|(?:just |only )?(?:keep (?:on )?|continue (?:to |with )?|go on )?(?:use|using|read|reading"
    r"|recall|recalling|rely on|relying on|work with|working with|keep|have|access|accessing"
    r"|remember"
    r"|know) (?:only )?(?:(?:what|whatever|the (?:ones|memories|facts|things|stuff)) (?:that )?"
    r"you(?:'ve)?(?: already| still)? (?:know|have|remember|got|saved|stored|have (?:saved|stored))"
    r"(?: (?:about|on) me)?|(?:the )?(?:old|existing|stored|current) (?:ones|memories|facts)"
    r"|(?:my|your|the) memories)"
    r"|(?:don'?t|do not|without) (?:los(?:e|ing)|forget(?:ting)?) what you (?:already )?(?:know"
    r"|have"
    r"|remember)(?: about me)?"
    r"|(?:keep |continue (?:to )?)?(?:read|reading|use|using|recall|recalling|access|accessing"
    r"|look at|look into|know|knowing|remember|search)(?: from| in)? "
    r"(?:(?:my|your|the|old|existing|current|all|stored|saved) )*"
    r"(?:memory|memories|facts|ones|what you(?: already| still)? (?:know|remember|have)"
    r"(?: saved| stored)?(?: (?:about|on) me)?))"
)
PERMIT = r"(?:you (?:can|may|could) )?(?:still |just |only )?"
