"""English words that name nothing by themselves: neither tags nor names. Data, no decisions."""

from __future__ import annotations

_CALENDAR_WORDS = (
    "january february march april may june july august september october november december jan "
    "feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday "
    "saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue "
    "tues wed thu thur thurs fri spring summer autumn winter today tomorrow yesterday tonight "
    "morning mornings afternoon evening evenings night nights noon midnight day days week weeks "
    "weekend weekends weekday weekdays month months year years hour hours minute minutes time "
    "times daily weekly monthly yearly date dates am pm"
)
CALENDAR = frozenset(_CALENDAR_WORDS.split())

# What a sentence about a person is built with, whatever it is about.
_GENERIC_WORDS = (
    "user users thing things stuff people person one ones lot lots bit kind sort type way ways "
    "fact favourite favorite favourites favorites like likes liked love loves loved loving "
    "enjoy enjoys enjoyed enjoying prefer prefers preferred preference hate hates hated dislike "
    "dislikes adore want wants wanted wish need needs needed plan plans planned planning hope "
    "hopes goal goals decide decides decided decision choose chose chosen agree agreed settled "
    "start starts started starting begin begins began begun stop stops stopped quit quits "
    "finish finishes finished end ends ended live lives lived living stay stays stayed work "
    "works worked working play plays played playing go goes going went come comes came coming "
    "move moves moved moving buy buys bought buying own owns owned get gets got make makes made "
    "making take takes took taken taking give gives gave given put puts use uses used using eat "
    "eats ate eaten eating drink drinks drank drinking read reads write writes wrote watch "
    "watches watched watching listen listens listened meet meets met meeting see sees saw seen "
    "visit visits visited call calls called calling name names named tell tells told say says "
    "said talk talks talked speak speaks spoke know knows knew learn learns learned learning "
    "learnt study studies studied studying think thinks thought feel feels felt try tries tried "
    "help helps helped keep keeps kept leave leaves left bring brings brought find finds found "
    "lose loses lost send sends sent pay pays paid spend spends spent sleep sleeps slept wake "
    "wakes woke become becomes became turn turns turned turning grow grows grew born die died "
    "dies avoid avoids always never usually often sometimes anymore anyway currently really "
    "recently finally soon already still instead better best worse worst good great nice bad "
    "big small old new young long short high low first second third last next many much more "
    "most less few every single different important early late happy sad tired busy ready able "
    "sure away back home please remember forget note reminder can't don't won't isn't i'm i've "
    "i'll i'd it's that's let's do does did done have has had bigger smaller ask asks asked "
    "answer answers answered reply replies happen happens happened asking saying telling seeing "
    "looking look looks looked getting trying giving coming let lets mean means meant gone"
)
GENERIC = frozenset(_GENERIC_WORDS.split())

# Words that hold a sentence together, and numbers: a phrase ends where one of them stands.
_FUNCTION_WORDS = (
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his "
    "himself she her hers herself it its itself they them their theirs themselves who whom whose "
    "which what that this these those a an the some any no each every either neither both all "
    "half several such same other others another else somebody someone something somewhere "
    "anybody anyone anything anywhere nobody none nothing nowhere everybody everyone everything "
    "everywhere whoever whatever whenever wherever whichever am is are was were be been being "
    "has had having does doing done did can could will would shall should may might must cannot "
    "ought and or but nor so yet if then than as because since while although though unless until "
    "whether once in on at by for from to of off with without within into onto out over under up "
    "down above below before after during about around across along among against between "
    "through throughout toward towards behind beside besides beyond near except despite per via "
    "upon plus not only just even too very quite rather almost perhaps maybe however therefore "
    "otherwise here there where when why how ever again further together ago due now later well "
    "right far little enough whole least probably exactly actually basically honestly obviously "
    "fortunately unfortunately apparently according yes ok okay please thanks thank hello hi "
    "hey dear also two three four five six seven eight nine ten twice"
)
FUNCTION = frozenset(_FUNCTION_WORDS.split())

# Words that often open a sentence with a capital and are no names. Beyond those above.
_OPENERS_WORDS = (
    "don't use make keep call send check run add set avoid remove read ask tell give take put "
    "open close buy get go come deploy restart install visit bring book mum mom dad mother "
    "father sister brother wife husband partner friend friends colleague boss manager dog cat "
    "coffee tea music food work job family kids children"
)
OPENERS = FUNCTION | frozenset(_OPENERS_WORDS.split())
