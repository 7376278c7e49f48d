"""The words that speak for a bank, by their stems, and how much they weigh. Data, no decisions."""

from __future__ import annotations

import re

_KIN = (
    r"(?:sisters?|brothers?|siblings?|mother|father|mum|mom|mommy|dad|daddy|parents?|wife|husband"
    r"|spouse|girlfriend|boyfriend|fianc[eé]e?|partner|sons?|daughters?|child|children|kids?|baby"
    r"|twins|aunts?|uncles?|cousins?|niece|nephew|grand(?:mother|father|ma|pa|son|daughter|parents?"
    r"|kids|children)|in-laws?|(?:mother|father|sister|brother)-in-law|step(?:mother|father|son"
    r"|daughter|brother|sister)|godson|goddaughter|godmother|family|(?:best|close|old|good) friend"
    r"|friends?|roommate|flatmate|housemate|neighbou?rs?|ex-(?:wife|husband|girlfriend|boyfriend))"
)
_DATED = (
    r"(?:\b(?:19|20)\d\d\b|\b(?:january|february|march|april|june|july|august|september|october"
    r"|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight"
    r"|next|last|upcoming|this (?:week|weekend|month|summer|spring|autumn|winter))\b"
    r"|\b(?:in|on|since) May\b|\d{1,2}(?:st|nd|rd|th)\b)"
)
_OCCASION = (
    r"(?:weddings?|trip|journey|vacation|holiday|flight|appointment|conference|concert|festival"
    r"|party|ceremony|graduation|funeral|reunion|baptism|christening|housewarming|cruise|honeymoon"
    r"|exam|marathon|race|tournament|viewing|recital|premiere|celebration|engagement|gig|retreat)"
)


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# Bank, weight, pattern. Where two banks weigh the same, the one that stands first has it.
WORDS: tuple[tuple[str, int, re.Pattern[str]], ...] = (
    (
        "Events",
        6,
        _words(
            rf"\b{_OCCASION}\b(?=[^.!?]{{0,80}}?{_DATED})"
            rf"|{_DATED}(?=[^.!?]{{0,60}}?\b{_OCCASION}\b)"
        ),
    ),
    (
        "Health",
        5,
        _words(
            r"\b(?:allerg\w+|intoleran\w+|anaphyla\w+|epi-?pens?|vegan\w*|vegetarian\w*"
            r"|pescatarian|c(?:o)?eliac|gluten|lactose|diabet\w+|insulin|asthma\w*|inhaler"
            r"|migraines?|epilep\w+|arthrit\w+|hypertension|cholesterol|anxiety|depress\w+|adhd"
            r"|autis\w+|insomnia|anaemi\w+|anemi\w+|cancer|tumou?r|eczema|thyroid|pregnan\w+"
            r"|medic(?:ation|ations|ine|ines|al)|pills?|tablets|antibiotics?|painkillers?"
            r"|ibuprofen|paracetamol|metformin|statins?|vaccin\w+|prescri\w+|dos(?:e|age)"
            r"|diagnos\w+|symptoms?|chronic|doctor|dentist|gp|physician|therap(?:y|ist|ists)"
            r"|physio\w*|psych(?:ologist|iatrist|otherapy)|surgeon|surgery|hospitali[sz]ed|clinic"
            r"|injur\w+|sprain\w*|fractur\w+|concussion|tendon\w*|blood (?:pressure|type|sugar"
            r"|test)|contact lenses|hearing aid|wheelchair|sober|alcoholic|antidepress\w+"
            r"|quit smoking|stopped smoking|smoker)\b"
        ),
    ),
    (
        "Health",
        4,
        _words(
            r"\b(?:on a (?:\w+ )?diet|diet|keto|calories|fasting|lose weight|lost weight|weigh"
            r"|(?:not|\w+n['’]t|never|no longer|stopped|quit|avoids?) (?:eat|eating|drink"
            r"|drinking) (?:\w+ )?(?:meat|pork|beef|fish|dairy|sugar|alcohol|milk|eggs|wheat|nuts"
            r"|shellfish)|(?:bad|sore|broken|broke (?:my|his|her)|hurt (?:my|his|her)"
            r"|torn) (?:\w+ )?(?:knees?|back|arms?|legs?|ankle|wrist|shoulder|hip|foot|neck|elbow"
            r"|rib|toe|finger)|(?:back|knee|neck|shoulder|hip|joint|chest) (?:pain|problems?|ache)"
            r"|panic attacks?|glasses|nearsighted|colou?r-?blind|deaf|health\w*|gym|work(?:s|ed"
            r"|ing)? ?out|workouts?|exercis\w+|steps a day|sleep apn\w+)\b"
        ),
    ),
    (
        "Relationships",
        5,
        _words(
            rf"^(?:(?:my|our|user['’]s|the user['’]s) (?:\w+ )?{_KIN}\b|(?:i|we|user"
            rf"|the user) (?:\w+ ){{0,2}}?(?:have|has|had) (?:a|an|one|two|three|four|five|six|no"
            rf"|\d+|twin) (?:\w+ ){{0,2}}?{_KIN}\b)|\b(?:is|are|was) (?:my|our|user['’]s"
            rf"|the user['’]s) (?:\w+ )?{_KIN}\b"
            r"|\b(?:married(?: to)?|engaged to|divorced|widow(?:ed|er)?|dating|single|broke up"
            r"|in love)\b"
        ),
    ),
    ("Relationships", 2, _words(rf"\b{_KIN}\b|\bgodparents?\b|\bpen ?pal\b")),
    (
        "Work",
        5,
        _words(
            r"\b(?:colleagues?|co-?workers?|boss|manager|team ?mates?|supervisor|clients?"
            r"|customers?|employers?|employ(?:ed|ee|ees|ment)|job|career|salary|promot(?:ed|ion)"
            r"|intern(?:ship)?|freelanc\w+|self-employed|unemployed|laid off|work(?:s|ed"
            r"|ing)? (?:as|at|for|from home|remotely|full-?time|part-?time|in (?!the (?:garden"
            r"|morning))|on (?:the|a|our|my) (?:\w+ )?(?:project|team|app|platform|product|service"
            r"|api|feature|migration))|workplace|office|coworking|standups?|stand-ups?|sprints?"
            r"|retros?|okrs?|kpis?|roadmap|stakeholders?|deadlines?|meetings?|1:1s?|invoic\w+"
            r"|startup|company|business|profession\w*)\b"
        ),
    ),
    (
        "Work",
        4,
        _words(
            r"\b(?:deploy\w*|kafka|push(?:es|ed)? to|code reviews?|sync|releases?"
            r"|release (?:branch|train)|cod(?:e|ing|ebase)|programm(?:er|ing)|software"
            r"|develop(?:er|ers|ment)|dev|debug\w*|bugs?|unit tests?|tests?|pytest|ci|commits?|git"
            r"|github|gitlab|bitbucket|branch(?:es)?|pull requests?|prs?|merge[sd]?|repo(?:s"
            r"|sitory|sitories)?|apis?|endpoints?|backend|back-end|frontend|front-end|servers?"
            r"|databases?|postgres\w*|mysql|sqlite|redis|valkey|mongo\w*|sql|docker\w*|kubernetes"
            r"|k8s|terraform|ansible|aws|azure|gcp|linux|bash|shell|cli|python|typescript"
            r"|javascript|java|kotlin|golang|rust(?! )|c\+\+|ruby|php|react|vue|django|flask"
            r"|fastapi|node|npm|pnpm|yarn|pip|uv|poetry|ruff|mypy|eslint|prettier|linter|formatter"
            r"|vim|neovim|emacs|vs ?code|intellij|ide|jira|slack|figma|confluence|staging"
            r"|production|prod|rollback|hotfix|migrations?|schema|pipelines?|indentation"
            r"|tabs over spaces|spaces over tabs|tabs|type hints|docstrings?|architecture"
            r"|framework|microservices?|monolith|cache|queue|cluster|latency|logs?|logging"
            r"|credentials|spec(?:s|ification)?|pgvector|pinecone|embeddings?|machine learning"
            r"|data ?sets?|dashboards?|projects?)\b|c#"
        ),
    ),
    (
        "Work",
        4,
        _words(
            r"\b(?:nurse|teacher|lawyer|attorney|accountant|designer|engineer|scientist|researcher"
            r"|professor|lecturer|architect|consultant|analyst|electrician|plumber|carpenter"
            r"|mechanic|chef|baker|barista|waiter|waitress|journalist|editor|photographer"
            r"|pharmacist|pilot|paramedic|firefighter|police officer|librarian|translator"
            r"|recruiter|salesperson|product owner|scrum master|ceo|cto|cfo|founder|director"
            r"|administrator|sysadmin|devops|sre|vet|veterinarian|social worker|farmer|economist"
            r"|biologist|chemist|physicist|retired|phd|thesis|master['’]s degree"
            r"|bachelor['’]s degree|shifts?|night shift)\b"
        ),
    ),
    (
        "Work",
        2,
        _words(
            r"\b(?:work(?:s|ed|ing)?(?! ?out)|team|report|reports|slides|presentation|budget)\b"
        ),
    ),
    (
        "Interests",
        4,
        _words(
            r"\b(?:hobb(?:y|ies)|music|songs?|bands?|albums?|guitar|piano|violin|cello|drums?|bass"
            r"|flute|sing(?:s|ing)?|choir|orchestra|jazz|rock|metal|classical|opera|concerts?"
            r"|vinyl|podcasts?|sports?|football|soccer|basketball|tennis|badminton|golf|rugby"
            r"|cricket|hockey|baseball|volleyball|handball|swim(?:s|ming)?|run(?:s|ning)?|jog(?:s"
            r"|ging)?|marathons?|cycl(?:e|es|ing)|biking|hik(?:e|es|ing)|climb(?:s|ing)?"
            r"|boulder(?:ing)?|ski(?:s|ing)?|snowboard\w*|surf\w*|sail(?:s|ing)?|kayak\w*|row(?:s"
            r"|ing)|yoga|pilates|martial arts|judo|karate|boxing|fencing|danc(?:e|es|ing)|salsa"
            r"|tango|triathlons?|games?|gaming|chess|board ?games?|video ?games?|playstation|xbox"
            r"|nintendo|dungeons|poker|puzzles?|crosswords?|books?|novels?|read(?:s|ing)|author"
            r"|poet(?:ry|ms?)|sci-?fi|science fiction|fantasy|thrillers?|comics?|manga|anime"
            r"|films?|movies?|cinema|series|tv shows?|netflix|documentar(?:y|ies)|theat(?:re|er)"
            r"|museums?|paint(?:s|ing)|draw(?:s|ing)|sketch\w*|watercolou?rs?|potter(?:y)|ceramics"
            r"|photography|knit(?:s|ting)?|crochet\w*|sew(?:s|ing)|embroider\w*|woodwork\w*"
            r"|gardening|birdwatching|birding|fishing|camping|travel(?:s|l?ing)?|astronomy"
            r"|telescope|collect(?:s|ing)? (?!my|the)|stamps|lego|origami|magic tricks"
            r"|stand-up comedy|blog(?:s|ging)?|history|philosophy|learn(?:s|ing)? (?:to (?:play"
            r"|dance|sing|paint|draw|ski|surf|sail)|norwegian|spanish|french|german|italian"
            r"|japanese|korean|mandarin|chinese|portuguese|arabic|russian|swedish|dutch|greek"
            r"|latin|sign language)|fan of|formula (?:1|one)|f1|olympics|league)\b"
        ),
    ),
    # How the assistant is to speak.
    (
        "General",
        5,
        _words(
            r"\b(?:answers?|repl(?:y|ies)|responses?|respond|explanations?|bullet points|emojis?"
            r"|tone|metric units|imperial units|spelling|summar(?:y|ies)|address me"
            r"|formal(?:ly)?)\b"
        ),
    ),
    (
        "Personal",
        3,
        _words(
            r"\b(?:(?:my|user['’]s) (?:\w+ )?(?:name|nickname|pronouns|age|birthday|address|phone"
            r"|email|timezone|time zone|nationality|citizenship|passport|religion)|call me|born"
            r"|years old|liv(?:e|es|ed|ing) (?:in|at|near|on|with|alone)|mov(?:e|ed|es|ing) to"
            r"|grew up|comes? from|(?:am|is) from|hometown|home|house|flat|apartment|garden"
            r"|kitchen|bedroom|rent|mortgage|landlord|lease|car|bike|bicycle|motorbike|scooter|van"
            r"|dogs?|cats?|puppy|kitten|pets?|hamster|parrot|rabbit|horse|laptop|phone|iphone"
            r"|camera|watch|keys|speak(?:s)? (?:[A-Z]\w+)|left-handed|right-handed|introvert"
            r"|extrovert|morning person|night owl|vegetables|breakfast|lunch|dinner|snacks?|coffee"
            r"|tea|espresso|cappuccino|latte|beer|wine|whisky|juice|chocolate|cheese|pizza|pasta"
            r"|sushi|curry|ramen|spicy|food|dish|dessert|ice cream|bread|soup|salad|cook(?:s|ed"
            r"|ing)?|bak(?:e|es|ing)|recipes?|wak(?:e|es)(?: up)?|sleep(?:s|ing)?|bed|shower"
            r"|commut\w+|colou?r|clothes|shoes|size|cilantro|olives|mushrooms|tattoos?|church"
            r"|mosque|synagogue|money|savings|bank account|insurance|tax(?:es)?)\b"
        ),
    ),
)

CATEGORY_WEIGHTS: dict[str, dict[str, int]] = {
    "event": {"Events": 11},
    "relationship": {"Relationships": 4},
    "identity": {"Personal": 1},
    "preference": {"Personal": 1},
    "possession": {"Personal": 1},
    "habit": {"Personal": 1},
    "goal": {"Personal": 1},
}
