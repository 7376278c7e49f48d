"""The verbs and nouns of happenings that are worth remembering."""

from __future__ import annotations

from memory.write.extraction.words import MY_PERSON

WHO = (
    rf"(?:{MY_PERSON}(?:,? (?!is\b|has\b|was\b|are\b|and\b|who\b)[\w'-]+)?(?:,[^,]{{1,60}},"
    r"| (?:and|&) (?:my )?\w+(?: \w+)?)?)"
)

MOMENTOUS = (
    r"(?:moved|changed (?:jobs|careers|my name)|got (?:the|my dream) (?:job|part|role|keys"
    r"|scholarship)|relocated|emigrated|immigrated|married|got (?:married|engaged|divorced"
    r"|promoted|fired|laid off|hired|accepted|a (?:new )?(?:job|promotion|raise|offer|scholarship"
    r"|place at|visa|tattoo|divorce|dog|cat|puppy|kitten|rescue)|my (?:degree|licen[cs]e|driver"
    r"|driving|citizenship|first|green|phd|visa|results|diagnosis)|into \w+|back together"
    r"|vaccinated|citizenship|baptized)|was (?:born|diagnosed|promoted|fired|laid off|hired"
    r"|accepted|admitted|awarded|elected|hospitali[sz]ed|adopted|made redundant|appointed)"
    r"|were (?:born|married|diagnosed)|proposed|divorced|separated|broke up|split up|retired"
    r"|graduated|enrolled|started (?:at|as|a (?:new|job|company|business|blog|podcast|phd|band"
    r"|family|diet|course|degree)|an? \w+|my (?:own|new|first|job|phd|master\w*|studies)|work\w*"
    r"|school|university|college|learning|playing|running|therapy|yoga|taking|medication|going"
    r" to|eating|drinking|smoking|wearing|using|cycling|swimming|climbing|seeing|dating"
    r"|kindergarten|primary|high|first|in \w+)|joined|founded|co-?founded|launched|opened (?:a|my"
    r"|our)|sold (?:my|our|the)|quit (?:my|his|her|the|smoking|drinking)|left (?:my (?:job|wife"
    r"|husband)|the (?:company|army|church|navy)|(?-i:[A-Z])\w+)|resigned|lost (?:my|our|his|her"
    r"|their) (?:job|father|mother|dad|mum|mom|wife|husband|grand\w+|brother|sister|dog|cat|sight"
    r"|hearing|home|licen[cs]e)|died|passed away|had (?:a |an |our |my |her |his |their "
    r"|to put (?:my|our) )?(?:\w+ ){0,2}?(?:baby|surgery|operation|stroke|heart attack"
    r"|miscarriage|child|son|daughter|twins|accident|transplant|down)|gave birth|became"
    r"|turned (?:\d+|\w+ty|\w+teen|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"|broke (?:my|his|her) \w+|tore (?:my|his|her)|adopted|passed (?:my|the"
    r"|his|her) \w+|failed (?:my|the|his|her) \w+|won (?:a|an|the|my|first|second|gold|silver"
    r"|bronze)|ran (?:a|my|the) (?:\w+ ){0,2}(?:marathon|half|ultra|10k|race|5k)|finished (?:my|a"
    r"|the|his|her) (?:\w+ )?(?:thesis|phd|degree|master\w*|marathon|studies|training"
    r"|dissertation|book|novel|chemo|course|apprenticeship|first \w+)|completed \w+|defended"
    r"|published|signed (?:the|a|my|up)|met (?:my (?:husband|wife|partner|girlfriend|boyfriend"
    r"|fianc[eé]e?|best friend)|each other|(?:at|in|on|through) (?:uni\w*|college|school"
    r"|(?-i:[A-Z0-9])|church))|inherited|converted to|came out|survived|paid off (?:my|our|the)"
    r"|handed in (?:my|our|his|her)|deleted (?:my|our) (?:\w+ )?account|dropped out|moved back"
    r"|found (?:a|my|our)"
    r" (?:new )?(?:job|flat|apartment|house|home|place to live|partner)|lost (?:the |over |about"
    r" )?\w+ (?:kilos|kg|pounds)|bought (?:a|our|my|his"
    r"|her) (?:\w+ ){0,2}(?:house|flat|apartment|car|boat|cabin|home|dog|farm)|climbed|served in"
    r"|fought in|took up|taken up|begun|become|broken my|gone back to|had to have"
    r"|returned (?:from|to)|came back from|stopped (?:smoking|drinking)|learned to|fell in love"
    r"|hit \d+)"
)
GOING = (
    r"(?:moving|flying|travell?ing|visiting|leaving|going|heading|getting (?:married|engaged"
    r"|divorced|surgery|a (?:new )?(?:dog|puppy|cat|kitten|kitchen|roof)|my|braces|the keys)"
    r"|starting|having (?:surgery|a baby|an? (?:\w+ ){0,2}(?:operation|party|exam|interview|scan"
    r"|mri|procedure|wedding|housewarming)|my|our|twins|guests)|running|seeing|taking|defending"
    r"|presenting|speaking|graduating|retiring|expecting|due|hosting|meeting|turning|driving"
    r"|sailing|hiking|cycling|on (?:holiday|vacation|leave|call)|attending|giving|celebrating"
    r"|adopting|competing|returning|coming|launching|singing|performing|playing|opening"
    r"|out of office|off work|quitting|selling|buying|renovating|changing jobs|joining|scheduled"
    r"|booked|staying)"
)
OCCASION = (
    r"(?:appointments?|exams?|interviews?|flights?|surgery|operation|wedding|anniversary"
    r"|graduation|party|concert|conference|trip|holiday|vacation|marathon|race|deadline|deadlines"
    r"|presentation|defen[cs]e|court date|hearing|due date|check-?up|scan|mri|recital|reunion"
    r"|funeral|christening|baptism|launch|release|demo|moving day|move|audition|tournament|match"
    r"|final|finals|driving test|viva|first day|last day|contract|lease|visa|passport|probation"
    r"|cruise|retreat|ceremony|bootcamp|semester|term|internship|performance review|meeting"
    r"|dinner|date|thesis|course|vet visit|gig|parental leave|maternity leave|paternity leave"
    r"|retirement)"
)
