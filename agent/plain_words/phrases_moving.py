"""How people ask to take what is kept elsewhere, and to bring it back."""

from __future__ import annotations

from agent.plain_words.rules import rule

_EXPORT = r"(?:export|download|back ?up|dump|extract)"
_COPY = (
    r"(?:an? |the |my )?(?:full |complete |whole |json )*(?:copy|export|download|backup|dump"
    r"|archive|file)"
)
_OWNER = (
    r"(?:(?:all|every(?: single)?|each|everything)(?: of)? )?(?:(?:the|my|your|our|these|those) )?"
)
_MEMORIES = (
    r"(?:(?:personal |stored |saved |whole |entire |full )*(?:memory|memories|memory (?:data"
    r"|items|bank"
    r"|store)|keepsake(?: data| memories)?))"
)
_DATA = (
    r"(?:all (?:of )?(?:my|the)|all|my) (?:personal |stored |saved |own )*(?:data|facts"
    r"|information|stuff)"
)
_KNOWN = (
    r"(?:everything|all|whatever|what|all the (?:things|data|facts))(?: that)? you(?:'ve| have|ve)?"
    r"(?: ever)?(?: know| remember(?:ed)?| have| saved| stored| kept| got| hold| learn(?:ed|t)"
    r"| on file| in memory)*(?: (?:about|on|of) (?:me|myself))?"
)
_ANYTHING = rf"(?:{_OWNER}{_MEMORIES}|{_DATA}|{_KNOWN}|everything|it all|all of it|all)"
_FORMAT = (
    r"(?:(?: (?:as|in|to|into|out as|out to))?(?: (?:an?|one|the))? ?(?:json|file|json file"
    r"|json format"
    r"|disk|my (?:computer|disk|laptop)|backup|zip|(?:\S+\.json)|text file|document))"
)
_OUT = rf"(?:{_FORMAT})?"

_SOURCES = (
    r"(?:chat ?gpt|gpt(?:-?\d\w*)?|open ?ai|claude|anthropic|gemini|copilot"
    r"|another (?:assistant|ai|chat ?bot"
    r"|app)|other (?:assistants|chatbots)|keepsake|mem0|my (?:old|other|previous) (?:assistant"
    r"|account"
    r"|chatbot)|(?:(?:a|my|the|this|that) )?(?:json |memory |export |backup |text |last "
    r"|old )*(?:file|json"
    r"|export|backup|archive|dump)|json|\S+\.(?:json|zip|txt|jsonl))"
)
_FROM = (
    rf"(?: from (?:my )?{_SOURCES}(?:'s)?(?: (?:export|backup|file|memory|memories|account|data))?)"
)
_HERE = r"(?: back)?(?: (?:in|into|to|over to|over) (?:here|you|keepsake|(?:your |my )?memory))?"
_IMPORT = (
    r"(?:import|upload|load|re-?import|bring (?:in|over|across)|pull in|read in|migrate"
    r"|transfer|move"
    r"|take over|copy over|copy|ingest|add)"
)

_MEMORIES_OF = r"(?:(?:all )?(?:my|the|these|those) (?:old )?memories)"

_FILE = (
    r"(?:(?:this|that|the|my|these|an?) )(?:(?:json|memory|exported|backup|export|chat ?gpt"
    r"|claude) )*"
    r"(?:file|json|export|backup|archive)"
)
_THEIR_MEMORIES = (
    rf"(?:all )?(?:(?:of )?(?:my|the|these|those|our) )?(?:old |exported |saved )*(?:{_SOURCES} )?"
    r"(?:old |exported |saved )*(?:memories|memory)"
)
_ME = r"(?:(?: you (?:have|hold|keep|stored))?(?: (?:of|about|on) me)?)"

MOVING = (
    rule(
        "export",
        rf"{_EXPORT} {_ANYTHING}{_OUT}",
        rf"{_EXPORT} (?:me )?{_ANYTHING}{_OUT}",
        r"(?:do |make |run |start |create |give me )?(?:an? |the )?(?:data|memory|full|json"
        r"|memories)"
        r" (?:export|dump|download)",
        r"(?:make|create|do|take|run)(?: me)? (?:an? |the )?(?:full )?(?:backup|export)",
        r"(?:export|takeout)(?: (?:as|to) json)?",
        rf"(?:give|send|get|hand|make|create|prepare|produce|generate|show|write)(?: me"
        rf"| us)? {_COPY}"
        rf" (?:of|with|from) {_ANYTHING}{_OUT}",
        rf"(?:i want|i need|i(?:'?d| would) like|have|get|receive) {_COPY} (?:of|with"
        rf"|from) {_ANYTHING}"
        rf"{_OUT}",
        rf"(?:i want|i need|i(?:'?d| would) like|give me|send me|hand over) (?:all )?(?:of )?my "
        rf"(?:data|memories){_OUT}",
        rf"(?:save|write|put|store|copy) {_ANYTHING}{_FORMAT}",
        rf"(?:give|send|hand|print|show|output|mail|email)(?: me)? {_ANYTHING}{_ME}{_FORMAT}",
        rf"(?:provide|supply)(?: me)? with {_COPY} of {_ANYTHING}{_ME}{_OUT}",
        rf"(?:generate|make|create|write|give me|build)(?: me)? (?:an? )?(?:json|file"
        rf"|json file) (?:with"
        rf"|of|containing) {_ANYTHING}{_ME}",
        rf"{_COPY} of {_ANYTHING}{_ME}{_OUT}",
        r"take (?:all )?(?:my|your) (?:data|memories) (?:with me|elsewhere|out)",
    ),
    # “Can I get a copy of my data?” asks for it; “can I export?” asks about the product.
    rule(
        "export",
        rf"(?:have|get|receive) {_COPY} of {_ANYTHING}{_OUT}",
        rf"download (?:{_COPY} of )?{_ANYTHING}{_OUT}",
        rf"{_EXPORT} (?:{_COPY} of )?{_OWNER}{_MEMORIES}{_OUT}",
        rf"{_EXPORT} {_KNOWN}{_OUT}",
        rf"(?:have|get|see|export|download|receive|save) {_ANYTHING}{_ME}{_FORMAT}",
        rf"{_EXPORT} {_OWNER}{_MEMORIES}{_ME}{_OUT}",
        r"take (?:all )?(?:(?:my|your) )(?:data|memories) (?:with me|elsewhere|out|along"
        r"|to (?:an)?other"
        r" (?:app|assistant|service|place|ai|tool))",
        leave=True,
    ),
    rule(
        "import",
        r"import",
        r"(?:import|load|upload|read in) (?:the|my|this|that|an?) (?:file|backup|export|archive)"
        r" (?:with|of|containing) (?:all )?(?:my|the) (?:old )?memories",
        rf"read {_MEMORIES_OF} in{_FROM}?",
        rf"{_IMPORT} (?:all )?(?:of )?(?:my |the |these |those |some |our )?(?:old |exported "
        rf"|saved |other"
        rf" |existing )*(?:memories|memory)(?: (?:file|export|backup|dump|data))?{_FROM}?{_HERE}",
        rf"here(?:'?s| is| are) (?:my|the) (?:(?:{_SOURCES}) )?(?:memories|export|backup)[,:.;–—-]+"
        r" (?:please )?import (?:it|them|that|those)",
        rf"{_IMPORT} (?:all )?(?:of )?my (?:old )?(?:data|stuff|facts|history){_FROM}{_HERE}",
        r"import (?:all )?(?:of )?my (?:old )?(?:data|facts)(?: (?:file|export|backup))?",
        rf"{_IMPORT} (?:everything|it all|all){_FROM}{_HERE}",
        rf"{_IMPORT} (?:my |the |an? |this |that )?(?:{_SOURCES})(?:'s)? (?:memories|memory"
        rf"|export|backup|"
        rf"data|history|file|dump|archive)(?: file| export)?{_HERE}",
        r"(?:import|upload|load|re-?import) (?:my|this|that|the|an?) (?:memory |keepsake |data "
        r"|json |old |"
        r"last |exported )*(?:export|backup)(?: file)?(?: (?:back|again))?",
        rf"(?:bring|move|copy|transfer|take|carry) (?:my |the "
        rf"|all my )?(?:{_SOURCES} )?(?:memories|memory) "
        rf"(?:over|across|in|here|with me)(?: here)?{_FROM}?{_HERE}",
        rf"take in my (?:{_SOURCES} )?(?:memories|memory)",
        rf"import{_FROM}{_HERE}|restore from (?:my |a |the |this )?(?:json |last "
        rf"|old )?(?:backup|export)",
        r"(?:import|load|upload) (?:my|this|that|the|an?) memor(?:y|ies) (?:file|export|backup"
        r"|dump)",
        rf"import (?:the |my |all )*memories i (?:exported|downloaded|saved)(?: from {_SOURCES})?",
        rf"import what {_SOURCES} (?:knows|remembers|has saved|saved|has)(?: about me)?{_HERE}",
        r"(?:import|load) \S*(?:memor|keepsake|export|backup)\S*\.(?:json|zip|txt|jsonl)",
        r"restore (?:all )?(?:of )?(?:my|the) (?:memories|memory|data)"
        r" from (?:my |a |the |this )?(?:json |last |old )?(?:backup|export|file|archive"
        r"|\S+\.json)",
    ),
    rule(
        "import",
        rf"import {_THEIR_MEMORIES}{_FROM}?{_HERE}",
        rf"(?:import|load|upload|bring|move|transfer|copy|take|get|pull|read|fetch|put|carry)"
        rf" {_THEIR_MEMORIES}(?: (?:in|over|across|back|out|here))?(?: in)?"
        rf"(?: from (?:my |the |an? |this )?{_SOURCES}(?:'s)?(?: (?:export|backup|file"
        rf"|account))?){_HERE}",
        rf"(?:put|load|bring|get) (?=my |the |these ){_THEIR_MEMORIES} (?:back(?: in)?|(?:in"
        rf"|into) (?:your memory"
        r"|keepsake))",
        r"(?:load|put|bring) (?:my|the) (?:exported|saved|old) memories (?:back|in|back in)",
        rf"(?:import|load|upload|read) {_FILE} (?:in|into|to) (?:your |my |the )?memory",
        r"import the memories i (?:exported|downloaded|saved)(?: .{1,20})?",
        r"restore (?:(?:all )?(?:of )?(?:my|the) )?(?:memories|memory) from (?:\w+ |\w+'s )?"
        r"(?:backup|export|file|archive)",
        rf"(?:here(?:'?s| is| are)|i(?:'ve| have)?(?: got)?|this is) (?:my|the|an?) "
        rf"(?:{_SOURCES} |memory |memories )*(?:memories|export|backup|file)[,:.;–—-]+ ?(?:so "
        rf"|and )?"
        r"(?:please |can you |could you )*import (?:it|them|that|those)",
        leave=True,
    ),
)
