"""Pieces that the patterns of several commands are made of. All are lower case and without groups
that are numbered; patterns have to match the whole sentence, which is put in small letters first.
"""

from __future__ import annotations

MEMORY = (
    r"(?:(?:the |your |my |our |all |any |its )?(?:long[- ]term |chat |personal )?"
    r"(?:memory|memories|remembering)"
    r"(?: (?:features?|function|mode|system|saving|recording|setting|collection|storage))?)"
)
_A_MEMORY = (
    r"(?:memory|memories|fact|note|thing|message|sentence|statement|info|information|detail|"
    r"entry|item|bit|part|one|remark|line|record)"
)
_SAID = r"(?:said|told you|wrote|typed|mentioned|shared|sent(?: you)?|asked you to remember)"
# What is plainly a memory; a sentence, a line or a message can be one of a text in hand.
ONE_MEMORY = (
    r"(?:(?:that|this|those|these|the|my|your)(?: last| latest| previous| most recent)? "
    r"(?:memory|memories|fact|facts|note)|(?:that|this) (?:information|info|detail)"
    r"|the last (?:deleted|forgotten|erased|saved|stored) (?:memory|one|thing)"
    r"|the last (?:thing|one) (?:that )?you(?:'ve| have)?(?: just)? (?:saved|stored|remembered"
    r"|kept|noted"
    r"|learned))"
)
# “The gym memory”, but not the memory of a machine, nor one of the mind.
NAMED_MEMORY = (
    r"(?:(?:the|that|this|your|my) (?!(?:last|latest|previous|whole|entire|full|complete|first|bad"
    r"|sad|painful|awful|good|happy|gpu|cpu|swap|flash|cache|shared|virtual|video|heap|stack|ram"
    r"|physical|host|device|kernel|system|internal|usb|phone|main|dram|page|working|process"
    r"|earliest"
    r"|childhood|traumatic|other|same|unused|allocated|linux|browser|stored|saved|personal)\b)"
    r"[\w'-]+(?: (?!(?:of|and|in|to|about|that|is|was|are|from|for|on)\b)[\w'-]+){0,3}"
    r" (?:memory|memories))"
)
_ONE_THING = (
    rf"(?:(?:that|this|those|these)(?: last| latest| previous| whole| entire)? {_A_MEMORY}"
    rf"|(?:the|my|your) (?:last|latest|previous|most recent) {_A_MEMORY}"
    r"|(?:that|our last) (?:conversation|chat|exchange|discussion))"
)
WHAT_I_SAID = (
    rf"(?:(?:the (?:last )?(?:thing|bit|part|stuff) (?:that )?|what(?:ever)? |everything |all )"
    rf"i(?:'ve|'d| have)?(?: just| only)? {_SAID}(?: just now)"
    rf"|what i(?:'ve| have)?(?: just)? {_SAID}"
    rf"|(?:(?:the|that) (?:last )?(?:thing|bit|part|stuff|one)) (?:that )?i(?: just)? {_SAID})"
    r"(?: to you)?(?: just now| before| earlier| a (?:minute|moment|second|while) ago)?"
)
# What “that” can be called; “it” is apart, because of “forget it”.
THAT_MEMORY = rf"(?:that|this|these|those|it|them|{ONE_MEMORY}|{WHAT_I_SAID})"
THAT = rf"(?:that|this|these|those|{ONE_MEMORY}|{_ONE_THING}|{WHAT_I_SAID})"
THAT_OR_IT = rf"(?:it|them|{THAT})"
IN_MEMORY = (
    r"(?:(?: down)?(?: (?:in|to|into|for|from|out of|off) "
    r"(?:(?:your|my|the|our|long[- ]term)? ?(?:memory|memories|mind|records?|database|notes|head)"
    r"|what you (?:know|remember|have)(?: about me)?))?)"
)
FOR_LATER = (
    r"(?: for (?:later|next time|the future|future reference|future chats|another time|me)"
    r"| forever| from now on| about me)?"
)
ABOUT = r"(?:about|on|regarding|concerning|related to|relating to|that mentions?|mentioning|around)"
STRICTLY_ABOUT = r"(?:about|regarding|concerning|related to|relating to|that mentions?|mentioning)"
DO_NOT = (
    r"(?:don'?t|do not|dont|never|you (?:don'?t|do not) (?:have|need) to|no need to|you needn'?t"
    r"|you (?:shouldn'?t|should not|mustn'?t|must not|can'?t|may not)"
    r"|i (?:don'?t|do not|never) want you to|i(?:'?d| would) (?:rather|prefer)(?: it)?(?: if"
    r"| that)? "
    r"you (?:didn'?t|did not|don'?t|not)|i(?:'?d| would) (?:prefer|like) (?:for )?you not to"
    r"|don'?t you (?:dare|ever)|i want you not to|i need you not to|try not to|not to"
    r"|i(?:'?d| would) hate (?:for )?you to|you(?:'d| had)? better not|better not|best not to"
    r"|(?:i(?:'?d| would)? )?prefer (?:that |if |it if )?you (?:don'?t|do not|didn'?t|not)"
    r"|it(?:'?d| would) be (?:better|great|nice|good|best) if you (?:didn'?t|don'?t|did not)"
    r"|you(?:'re| are) not (?:supposed |meant |allowed )?to|i(?:'m asking| ask| beg) you not to"
    r"|ask you not to"
    r"|let'?s not|(?:make|be) sure (?:you )?"
    r"(?:don'?t|not to)|there'?s no need to|it'?s better (?:if you don'?t|not to))"
)
KEEP = (
    r"(?:ever )?(?:remember|save|store|keep|record|memori[sz]e|note|log|retain|write|jot|learn"
    r"|hold on to|hang on to|take note of|make a note of|commit|add|put|persist)"
)
THIS_CHAT = (
    r"(?:(?:this|our|the|the current|this current|this whole|this entire) "
    r"(?:chat|conversation|session|discussion|thread|talk))"
)
FOR_THIS_CHAT = (
    rf"(?: ?,?(?: just| only)? ?(?:(?:for|in|during|from|of|within|about) {THIS_CHAT}"
    rf"|(?:in )?here))"
)
FOR_A_WHILE = (
    r"(?: ?,?(?: (?:for (?:now|today|tonight|a (?:while|bit|moment|minute|few minutes)"
    r"|the (?:moment|time being|day|rest of the day))|from now on|today|tonight|temporarily"
    r"|until (?:i say (?:so|otherwise)|further notice|tomorrow|i tell you(?: otherwise)?)"
    r"|again|any ?more|any longer|at all|ever again|going forward|any further))*)"
)
YOU_HAVE_KEPT = (
    r"(?:you(?:'ve| have|ve)?(?: already| ever)? (?:saved|stored|kept|remembered|noted|recorded"
    r"|memori[sz]ed|written down|on file|in (?:your )?(?:memory|storage)|got (?:saved|stored)"
    r"|got in (?:your )?memory|have (?:saved|stored|on file|in (?:your )?(?:memory|storage)))"
    r"|you(?: still| currently)? (?:save|store|keep|remember|recall|have kept))"
)
YOU_KNOW = (
    r"(?:you(?: still| already| currently| actually)? (?:know|have|hold)|you'?ve got|you got)"
)
ME = r"(?:me|myself|me personally|who i am|my life)"
MY_DETAIL = (
    r"(?:my (?:favou?rite|preferred) \w+(?: \w+)?|my (?:(?:home|work|full|first|last|real|old"
    r"|new|current"
    r"|email|e-mail|phone|mobile|street|postal|job|cell|mother'?s|father'?s|sister'?s"
    r"|brother'?s|wife'?s"
    r"|husband'?s|partner'?s|son'?s|daughter'?s|boss'?s|dog'?s|cat'?s) )*"
    r"(?:name|surname|nickname|address|birthday|birth date|date of birth|age|job|job title|employer"
    r"|occupation|profession|city|home ?town|phone number|number|diet|allergy|allergies|time ?zone"
    r"|pronouns|hobby|hobbies|salary|weight|height|religion|nationality|diagnosis|preferences?"
    r"|habits?"
    r"|marital status|relationship status|anniversary))"
)
