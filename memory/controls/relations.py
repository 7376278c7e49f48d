"""Words of one meaning, or of which one takes in the others. Data, English."""

from __future__ import annotations

import re

# What is asked for, and the other words that it may be kept under.
KEPT_AS = {
    "mother": "mom mum mama mommy",
    "mom": "mother mum",
    "mum": "mother mom",
    "father": "dad papa daddy",
    "dad": "father",
    "parents": "mother father mom mum dad parent",
    "sister": "sis sibling",
    "brother": "bro sibling",
    "siblings": "sister brother sibling",
    "sibling": "sister brother",
    "kids": "son daughter child children kid",
    "children": "son daughter kid child",
    "wife": "spouse",
    "husband": "spouse",
    "spouse": "wife husband",
    "partner": "wife husband girlfriend boyfriend spouse fiancé fiancée",
    "girlfriend": "partner",
    "boyfriend": "partner",
    "grandmother": "grandma granny",
    "grandma": "grandmother granny",
    "grandfather": "grandpa granddad",
    "grandpa": "grandfather granddad",
    "grandparents": "grandmother grandfather grandma grandpa",
    "family": (
        "mother father mom mum dad parent sister brother sibling wife husband spouse partner son "
        "daughter child kid uncle aunt cousin niece nephew grandmother grandfather grandma grandpa"
    ),
    "boss": "manager supervisor",
    "manager": "boss",
    "colleagues": "coworker colleague teammate",
    "job": "work employer company profession occupation",
    "work": "job employer office",
    "home": "live house flat apartment address",
    "address": "live home street",
    "flat": "apartment",
    "apartment": "flat",
    "pets": "dog cat pet rabbit hamster parrot",
    "food": "eat drink allergic allergy vegetarian vegan meal dish cook restaurant",
    "diet": "eat vegetarian vegan allergic allergy",
}

# What somebody is to the user, with a name of their own.
TITLE = re.compile(
    r"mother|mom|mum|father|dad|sister|brother|sibling|son|daughter|child|kid|wife|husband|spouse"
    r"|partner|girlfriend|boyfriend|fiancée?|ex|friend|neighbou?r|boss|manager|supervisor|colleague"
    r"|coworker|teacher|doctor|dentist|therapist|uncle|aunt|cousin|niece|nephew|grandmother"
    r"|grandma|grandfather|grandpa|dog|cat|pet|rabbit|hamster|parrot|horse"
)
