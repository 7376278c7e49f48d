"""The sentences of an invented life, and the words that fill them."""

from __future__ import annotations

_WORDS = {
    "person": """Anna Ben Carla David Elif Farid Greta Hugo Ines Jonas Karim Lena Mateo Nadia Omar
        Priya Quentin Rosa Sven Tomas Uma Viktor Wanda Xenia Yusuf Zoe Amir Bianca Cyril Dana Erik
        Fatima Goran Helga Ivan Jana Kofi Livia Magnus Noemi Oscar Petra Ramon Signe Tariq Ursula
        Vera Willem Yara Zeno""",
    "thing": """canoe bicycle laptop guitar kettle camera backpack printer blender tent ladder drill
        sofa lamp microscope telescope keyboard mattress freezer boiler router projector piano
        violin helmet stroller aquarium greenhouse chainsaw lawnmower tractor trailer scooter
        skateboard kayak loom easel kiln lathe caravan sauna wardrobe bookcase dishwasher hammock
        toaster accordion anvil typewriter""",
    "place": """Oslo Lisbon Bristol Vienna Ghent Porto Turin Malmo Tallinn Krakow Leipzig Utrecht
        Bergen Galway Basel Lyon Bilbao Zagreb Riga Graz Aarhus Tampere Nantes""",
    "room": "kitchen garage garden basement attic workshop hallway study cellar shed",
    "food": """lentils bread yoghurt salmon mushrooms pancakes tofu cheese spinach noodles porridge
        dumplings chickpeas herring pumpkin barley fennel couscous""",
    "colour": "blue green red yellow black white grey purple orange brown",
    "job": """nurse welder teacher pilot baker lawyer plumber editor dentist florist surveyor
        translator""",
    "company": """Equinor Siemens Novartis Ikea Bosch Ericsson Philips Nokia Maersk Unilever Telenor
        Volvo""",
    "number": " ".join(str(number) for number in range(12, 98)),
    "small": " ".join(str(number) for number in range(2, 12)),
    "month": """January February March April May June July August September October November
        December""",
    "seller": "Berg Holm Lund Dahl Strand Vik Moen Haugen Lie Bakke",
    "sport": "swimming running rowing climbing yoga tennis cycling skating",
}
VALUES = {slot: tuple(words.split()) for slot, words in _WORDS.items()}
OWNERS = ("my", "my sister's", "my brother's", "the office's", "our neighbour's")

# What is told of a thing, and how it is asked.
DETAILS = (
    ("We paid {number}0 euros for {thing}", "How much did we pay for {thing}?"),
    ("We bought {thing} from Mr {seller}", "Who sold us {thing}?"),
    ("We keep {thing} in the {room}", "Where do we keep {thing}?"),
    ("The colour of {thing} is {colour}", "What colour is {thing}?"),
    ("The weight of {thing} is {number} kilograms", "How heavy is {thing}?"),
    ("The warranty of {thing} ends in {month}", "When does the warranty of {thing} end?"),
    ("The spare part for {thing} is from {place}", "Where is the spare part for {thing} from?"),
    ("The number of {thing} ends in {number}{small}", "What is the number of {thing}?"),
)
LASTING = (
    ("My colleague {person} was born in {place}", "Where was my colleague {person} born?"),
    ("{person} is allergic to {food}", "What is {person} allergic to?"),
    ("{person}'s birthday is in {month}", "In which month is {person}'s birthday?"),
    ("{person} taught me {sport} when I was {small}", "Which sport did {person} teach me?"),
    ("{person} owes me {number} euros", "How much does {person} owe me?"),
    ("{person}'s favourite colour is {colour}", "What is {person}'s favourite colour?"),
)
CHANGES = (
    ("{person} works at {company} now", "Where does {person} work?"),
    ("{person} lives in {place} now", "Where does {person} live?"),
    ("{person} works as a {job} now", "What is {person}'s job?"),
)
ROUTINES = (
    "I ran {small} km along the river in {number} minutes on {day}",
    "I had {food} with {person} for lunch on {day}",
    "I watered the plants in the {room} on {day}",
    "I slept {small} hours and woke up tired on {day}",
    "I went {sport} with {person} on {day}",
    "I cooked {food} with {food} for dinner on {day}",
    "The meeting with {person} about {company} took {number} minutes on {day}",
    "I read {number} pages before bed on {day}",
    "I called {person} about the trip to {place} on {day}",
    "I cleaned the {room} and the {room} on {day}",
)
