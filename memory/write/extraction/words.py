"""The word classes that the patterns are made of, as pieces of regular expressions.

All of them are meant for re.IGNORECASE; what must be a capital says so itself.
"""

from __future__ import annotations

CAPITAL = r"(?-i:[A-ZÀ-ÖØ-ÞŁŚŠŽ])"
NAME = rf"{CAPITAL}[\w'.-]*(?: {CAPITAL}[\w'.-]*){{0,3}}"

ADVERB = (
    r"(?:really|absolutely|also|still|just|already|currently|now|actually|honestly|usually|always"
    r"|never|ever|often|mostly|mainly|generally|typically|only|both|all|finally|recently"
    r"|definitely|personally|totally|simply|truly|especially|quite|deeply|officially|originally"
    r"|normally|rarely|sometimes|occasionally|very|so|much|strongly|strictly|mildly|severely"
    r"|highly|happily|fully|proudly|primarily|basically|completely|regularly|frequently|genuinely"
    r"|particularly|seriously|almost|pretty|extremely|slightly|rather|too|more|most|secretly"
    r"|newly|no longer|not|kind of|sort of|even|well|partly|permanently|temporarily|exclusively"
    r"|naturally|certainly|greatly|actively|seldom|hardly ever|each|together)"
)
ADVERBS = rf"(?:{ADVERB} ){{0,3}}"

# Who speaks, alone or with somebody: "I", "we", "my wife and I".
I = (  # noqa: E741 - it is the word
    r"(?:(?:both )?(?:my|me and my) \w+(?: \w+)? and I|me and my \w+"
    rf"|{CAPITAL}\w+ and I|I|we(?: (?:both|all))?)"
)
I_AM = rf"{I}(?:'m|'re| am| are) "
I_HAVE = rf"{I}(?:'ve| (?:(?:also|still|now|already|currently|only|even|just|both) )?have) "
NOT = r"(?:don't|do not|didn't|did not|never|no longer|can't|cannot|can not|won't|will not)"

# An object that points into the conversation says nothing by itself.
NOT_THIS = (
    r"(?!(?:this|that|it|these|those|them|him|her|you|your|yours|how|what|why|which|where"
    r"|whatever|one|something|anything|everything|nothing|some|any|both|neither|either|all|none"
    r"|more|such)\b(?! when\b)|the (?:idea|sound|look|way|first|second|third|fourth|last|latter"
    r"|former|latest|other|next|new (?:one|version)|previous|above|following|original|one|ones"
    r"|options?|answers?|results?|suggestions?|output|rest|part|style|tone|vibe|fact|response"
    r"|reply|explanation|examples?|version|draft|changes?|code|text|same|file|script|table|list"
    r"|function|blue one|red one|name|title|ending|intro\w*|article|link|image|picture|question"
    r"|plan|design)\b|option\b|to (?:know|ask|see|hear|think|say|be honest|point)\b|if\b"
    r"|for you\b|me\b)"
)

KIN = (
    r"(?:mother|mom|mum|mama|mommy|mummy|father|dad|daddy|papa|parents?|sisters?|brothers?"
    r"|siblings?|sons?|daughters?|kids?|child|children|baby|toddler|twins?|wife|husband|spouse"
    r"|partner|girlfriend|boyfriend|fianc[eé]e?|grand(?:mother|father|ma|pa|parents?|son|daughter"
    r"|kids?|child(?:ren)?)|granny|grandpa|nan|nana|aunt(?:ie)?s?|uncles?|cousins?|nieces?"
    r"|nephews?|(?:step|half[- ]?)(?:mother|father|mom|dad|sister|brother|son|daughter)|(?:mother"
    r"|father|sister|brother|son|daughter|parents)-in-law|in-laws|family|godmother|godfather"
    r"|goddaughter|godson|widow|stepkids|ex|ex-(?:wife|husband|girlfriend|boyfriend)|folks"
    r"|other half)"
)
SOCIAL = (
    r"(?:friends?|buddy|mates?|neighbou?rs?|boss|manager|supervisor|colleagues?|co-?workers?"
    r"|team ?mates?|team lead|team|mentor|advisor|adviser|tutor|teacher|coach|therapist|doctor|gp"
    r"|dentist|physio\w*|trainer|landlord|landlady|client|co-?founder|business partner|accountant"
    r"|lawyer|vet|babysitter|nanny|professor|students?|intern|roommates?|flatmates?|housemates?"
    r"|hairdresser|company|employer|bandmates?|assistant manager|tech lead|cto|ceo|psychologist"
    r"|psychiatrist|midwife|guitar teacher|piano teacher|childminder|cleaner|tenants?|band)"
)
PET = (
    r"(?:dogs?|cats?|pupp(?:y|ies)|kittens?|parrots?|rabbits?|bunn(?:y|ies)|hamsters?|horses?"
    r"|pony|ponies|turtles?|tortoises?|birds?|budgies?|fish|goldfish|pets?|snakes?|lizards?"
    r"|geckos?|guinea pigs?|ferrets?|chickens?|hens?|cows?|goats?|sheep|donkeys?|axolotls?|canary"
    r"|canaries|gerbils?|rats?|labrador|retriever|poodle|dachshund|beagle|corgi|terrier|husky"
    r"|bees|bee\s*hives?|beehives?)"
)
KIND = (
    r"(?:older|younger|elder|little|big|best|oldest|eldest|youngest|twin|late|new|old|former"
    r"|second|first|third|closest|good|close|childhood|direct|only|current|dear|middle|adopted"
    r"|biological|future|estranged|long-distance|school|college|work|two|three|four|\d{1,2}"
    r"|1\d?-year-old|\w+-year-old|maternal|paternal|next-door|upstairs|downstairs|rescue|line"
    r"|project|family)"
)
PERSON = rf"(?:{KIND} ){{0,3}}(?:{KIN}|{SOCIAL}|{PET})"
MY_PERSON = rf"(?:(?:both|one|two|three|all) (?:of )?)?(?:my|our) {PERSON}\b(?!['-])"

THING = (
    r"(?:car|bike|bicycle|e-?bike|motorbike|motorcycle|scooter|van|truck|boat|sailboat|yacht"
    r"|kayak|canoe|caravan|camper(?:van)?|house|flat|apartment|condo|studio|cabin|cottage|farm"
    r"|garden|yard|allotment|greenhouse|garage|balcony|terrace|pool|sauna|phone|laptop|computer"
    r"|pc|desktop|mac|macbook|ipad|iphone|tablet|watch|smartwatch|camera|guitar|bass|piano|violin"
    r"|cello|drums|drum|flute|saxophone|trumpet|ukulele|keyboard|synth\w*|telescope|drone|printer"
    r"|console|playstation|xbox|switch|tv|television|record player|turntable|espresso machine"
    r"|coffee machine|air fryer|oven|grill|bbq|sewing machine|tent|skis|snowboard|surfboard"
    r"|skateboard|treadmill|rowing machine|home gym|workshop|shop|store|bakery|restaurant|caf[eé]"
    r"|business|company|startup|website|blog|podcast|newsletter|channel|homelab|server|nas|router"
    r"|raspberry pi|solar panels?|heat pump|wheelchair|pacemaker|hearing aids?|glasses"
    r"|contact lenses|prosthe\w+|tattoos?|collection|library|vineyard|orchard|holiday home"
    r"|summer house|vespa|tesla|volvo|toyota|honda|bmw|subaru|ford|volkswagen|vw|thinkpad|kindle"
    r"|pixel|galaxy|monitor|desk|office|editor|shell|terminal|setup|stack|licen[cs]e|degree"
    r"|doctorate|phd|master's|bachelor's|diploma|passport|citizenship|visa|mortgage|pension"
    r"|subscription|membership|season ticket|savings account|dual citizenship|pet insurance"
    r"|fireplace|wood stove|motorhome|harp)"
)
HEALTH = (
    r"(?:asthma|diabetes|adhd|add|autism|dyslexia|epilepsy|migraines|arthritis|hypertension"
    r"|celiac|coeliac|eczema|psoriasis|insomnia|anxiety|depression|ptsd|ocd|tinnitus|anemia"
    r"|anaemia|ms|multiple sclerosis|lupus|crohn's|ibs|cancer|scoliosis|sciatica"
    r"|sleep apn(?:o)?ea|high blood pressure|low blood pressure|a heart condition|a bad (?:back"
    r"|knee)|bad knees|hay fever|chronic \w+|type [12] diabetes|a phobia|vertigo|glaucoma"
    r"|endometriosis|pcos|hashimoto's|hypothyroidism|thyroid \w+|a \w+ allergy|allergies"
    r"|an? (?:\w+ ){0,2}(?:allergy|intolerance|disorder|syndrome|disease|disability|condition))"
)
WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
SEASON = r"(?:spring|summer|autumn|fall|winter|easter|christmas|new year(?:'s)?|midsummer)"
UNIT = r"(?:days?|weeks?|months?|years?|decades?)"
COUNT = (
    r"(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|fifteen|twenty|thirty|forty|fifty|a few|several|a couple of|many|some|half a)"
)
DATE = (
    r"(?:yesterday|tomorrow|(?:on |by |from |until |the ){0,3}\d{1,2}(?:st|nd|rd"
    rf"|th)? (?:of )?{MONTH}\b|(?:last|next|this|coming) (?:\w+ )?(?:week|month|year|weekend"
    rf"|night|semester|term|{WEEKDAY}|{MONTH}|{SEASON})|(?:on|by|until|till|from|before"
    rf"|after) (?:the )?(?:{WEEKDAY}|\d{{1,2}}(?:st|nd|rd|th)?\b|{MONTH})|(?:in|by|since|around"
    rf"|from|until"
    r"|last|this) "
    rf"(?:early |late |mid-?\s*)?(?:{MONTH}|{SEASON}|(?:19|20)\d\d|the {SEASON})"
    rf"|{COUNT} {UNIT} (?:ago|from now|later)|in {COUNT} {UNIT}|{MONTH} \d{{1,2}}"
    r"|(?:19|20)\d\d|\d{1,2}[./]\d{1,2}\.?|the day (?:before|after)|today|this morning|tonight"
    r"|when I was\b)"
)
NOW = (
    r"(?:today|tonight|right now|at the moment|this (?:morning|afternoon|evening|minute|second)"
    r"|just now|for now|atm|rn|in an? (?:minute|min|sec|second|bit|moment|hour|few|while)|(?:all"
    r"|the whole) (?:day|morning|evening)|last night|as we speak|so far)"
)
OFTEN = (
    rf"(?:always|usually|normally|typically|generally|often|every (?:single )?(?:other )?\w+"
    rf"|each (?:day|week|month|year|morning|evening|night|{WEEKDAY})|on (?:{WEEKDAY}|weekdays"
    rf"|weekends|workdays|(?:\w+ )?(?:mornings|evenings|afternoons|nights|days))|(?:once|twice"
    rf"|\w+ times|several times) (?:a|per|every) (?:day|week|month|year)|daily|weekly|monthly"
    rf"|yearly|regularly|never|rarely|most (?:days|mornings|evenings|nights"
    r"|weekends)|at weekends|in the (?:mornings?|evenings?)|before (?:bed|breakfast|work)"
    r"|after (?:work|dinner|lunch|school)|at night|nowadays|these days|(?:whenever|when) I|since"
    r"|for (?:breakfast|lunch|dinner|work|a living|years|fun))"
)

# What somebody is for longer than a day.
LASTING = (
    r"(?:vegans?|vegetarians?|pescatarians?|pescetarian|omnivore|flexitarian|celiac|coeliac"
    r"|lactose|gluten|teetotal|sober|halal|kosher|allergic|intolerant|diabetic|asthmatic"
    r"|epileptic|dyslexic|autistic|neurodivergent|deaf|blind|colou?r-? ?blind|near-?sighted"
    r"|short-?sighted|disabled|bipolar|hard of hearing|left-? ?handed|right-? ?handed"
    r"|ambidextrous|married|divorced|single|engaged|widowed|separated|pregnant|retired|unemployed"
    r"|self-employed|freelance|freelancing|employed|bilingual|trilingual|fluent|introvert(?:ed)?"
    r"|extrovert(?:ed)?|gay|lesbian|bisexual|bi|straight|queer|trans(?:gender)?|non-?binary"
    r"|asexual|muslim|christian|catholic|protestant|jewish|hindu|buddhist|sikh|atheist|agnostic"
    r"|orthodox|lutheran|mormon|quaker|religious|baptist|secular|american|british|english"
    r"|scottish|welsh|irish|french|german|dutch|swiss|greek|turkish|spanish|danish|swedish"
    r"|norwegian|finnish|icelandic|polish|czech|thai|iraqi|pakistani|israeli|chinese|japanese"
    r"|portuguese|vietnamese|lebanese|nepalese|filipino|filipina|argentin\w+|quebecois|welsh"
    r"|(?-i:[A-Z]\w+(?:ian|ean|ese|ish|can|lan|ovak))|half[- ](?-i:[A-Z])\w+|tall|short-haired"
    r"|dead|deceased|originally from|born|raised|based|native|blonde?|bald|passionate about"
    r"|interested in|fond of|keen on|afraid of|scared of|terrified of|good at|bad at|(?:terrible"
    r"|bad|good|great) with (?!this|that|it)\w+|terrible at|great at|responsible for|in charge of"
    r"|obsessed with|addicted to|sensitive to|certified|trained (?:as|in)|qualified|licensed"
    r"|enrolled|registered|immune|adopted|an? only child|estranged|color-? ?blind|childless"
    r"|homeschooled|house-?trained|neutered|claustrophobic|in a wheelchair|on (?:parental"
    r"|maternity|paternity) leave)"
)
DIET = r"(?:vegan|vegetarian|pescatarian|teetotal|halal|kosher|sober)"
ROLE = (
    r"(?:[A-Z]{2,3}O|ceo|cto|cfo|coo|founder|co-?founder|owner|co-?owner|manager|director|head"
    r"|lead\w*|captain|(?:vice[- ]|deputy )?president|chair\w*|coach|treasurer|secretary|oldest"
    r"|eldest|youngest|middle"
    r"|only|sole|maintainer|author|(?:product|tech\w*|team|engineering|project|design|main|head"
    r"|senior|new|on-call|first|goalkeeper|drummer|bassist|singer|father|mother|dad|mum|mom"
    r"|parent|guardian)\b.*)"
)
