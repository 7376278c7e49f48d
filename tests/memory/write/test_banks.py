from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.write.bank_words import CATEGORY_WEIGHTS, WORDS
from memory.write.banks import bank_of

BANKS = ("Personal", "Work", "General", "Relationships", "Health", "Interests", "Events")

BELONGING = [
    ("My sister Maria lives in Oslo", "relationship", "Relationships"),
    ("My brother is a nurse", "relationship", "Relationships"),
    ("I have two daughters", "relationship", "Relationships"),
    ("My best friend is called Tom", "relationship", "Relationships"),
    ("I'm married to Anna", "relationship", "Relationships"),
    ("My son is allergic to peanuts", "relationship", "Relationships"),
    ("My boss Lena hates Jira", "relationship", "Work"),
    ("My colleague Ahmed handles the deploys", "relationship", "Work"),
    ("User works as a nurse in Trondheim", "identity", "Work"),
    ("I am a software engineer", "identity", "Work"),
    ("Never deploy on Fridays", "constraint", "Work"),
    ("I prefer uv over pip", "preference", "Work"),
    ("We decided to use PostgreSQL instead of Mongo", "decision", "Work"),
    ("I use tabs, not spaces", "preference", "Work"),
    ("Our standup is at 9:30", "habit", "Work"),
    ("I work from home on Wednesdays", "habit", "Work"),
    ("I am allergic to penicillin", "identity", "Health"),
    ("I'm vegan", "identity", "Health"),
    ("I don't eat meat any more", "preference", "Health"),
    ("I take metformin for diabetes", "habit", "Health"),
    ("I have asthma", "identity", "Health"),
    ("I injured my knee skiing", "event", "Events"),
    ("My doctor is called Hansen", "relationship", "Health"),
    ("I have a bad back", "identity", "Health"),
    ("I go to the gym three times a week", "habit", "Health"),
    ("I love hiking", "preference", "Interests"),
    ("My favourite band is Radiohead", "preference", "Interests"),
    ("I play the cello in an amateur orchestra", "habit", "Interests"),
    ("I support Liverpool and watch football", "preference", "Interests"),
    ("I'm reading the Expanse books", "habit", "Interests"),
    ("I want to learn Norwegian", "goal", "Interests"),
    ("I want to run a marathon", "goal", "Interests"),
    ("I collect stamps", "habit", "Interests"),
    ("I have a dentist appointment on 3 July 2026", "event", "Events"),
    ("My sister's wedding is on 12 July 2026", "event", "Events"),
    ("We are going on a trip to Japan in October 2026", "goal", "Events"),
    ("My flight to Lisbon is on 26 June 2026", "event", "Events"),
    ("The conference is next week", "event", "Events"),
    ("I live in Bergen", "identity", "Personal"),
    ("My name is Max", "identity", "Personal"),
    ("I drive a blue Volvo", "possession", "Personal"),
    ("My dog is called Biscuit", "possession", "Personal"),
    ("I drink my coffee black", "preference", "Personal"),
    ("I hate cilantro", "preference", "Personal"),
    ("I wake up at 6", "habit", "Personal"),
    ("I prefer window seats", "preference", "Personal"),
    ("I'm 34 years old", "identity", "Personal"),
    ("I moved to Bergen on 12 June 2026", "identity", "Personal"),
    ("Answer me in French", "constraint", "General"),
    ("Theoria means contemplation", "definition", "General"),
    ("To reset the router hold the button for ten seconds", "procedure", "General"),
    ("I have a blue bike", "possession", "Personal"),
    ("My mother-in-law visits every Sunday", "relationship", "Relationships"),
    ("My neighbour Per has a spare key", "relationship", "Relationships"),
    ("I play chess with my brother", "habit", "Interests"),
    ("I report to the CTO", "relationship", "Work"),
    ("I wear glasses", "identity", "Health"),
    ("My favourite food is ramen", "preference", "Personal"),
    ("I studied biology in Uppsala", "identity", "Personal"),
    ("PR reviews need two approvals", "constraint", "Work"),
    ("The staging database is called atlas", "definition", "Work"),
    ("I always run the tests before I push", "habit", "Work"),
    ("I bake sourdough on Sundays", "habit", "Personal"),
    ("My anniversary is on 3 May", "identity", "Personal"),
    ("The budget for Q3 is 40k", "definition", "Work"),
    ("I'm saving for a house", "goal", "Personal"),
    ("I rust my knives", "habit", "Personal"),
    ("My cat takes insulin", "possession", "Health"),
    ("I sing in a choir on Tuesdays", "habit", "Interests"),
    ("My kids go to Nordnes school", "relationship", "Relationships"),
    ("User's daughter Ida starts school in August 2026", "relationship", "Relationships"),
    ("My partner Kim is a vet", "relationship", "Relationships"),
    ("My grandmother taught me to bake", "relationship", "Relationships"),
    ("We have three kids", "relationship", "Relationships"),
    ("My ex-husband lives in Madrid", "relationship", "Relationships"),
    ("I met my girlfriend in 2019", "relationship", "Relationships"),
    ("My manager is Priya", "relationship", "Work"),
    ("I got promoted to team lead", "event", "Events"),
    ("I work in finance", "identity", "Work"),
    ("I'm a primary school teacher", "identity", "Work"),
    ("We always squash commits before merging", "procedure", "Work"),
    ("Never push to main without a review", "constraint", "Work"),
    ("I prefer TypeScript over JavaScript", "preference", "Work"),
    ("I like dark mode in my editor", "preference", "Work"),
    ("Our company is called Nordlys", "definition", "Work"),
    ("We chose Kafka for the event bus", "decision", "Work"),
    ("The weekly sync is on Tuesdays at 10", "habit", "Work"),
    ("My salary is paid on the 12th", "habit", "Work"),
    ("I'm lactose intolerant", "identity", "Health"),
    ("I can't eat gluten", "constraint", "Health"),
    ("I'm trying to lose weight", "goal", "Health"),
    ("I have high blood pressure", "identity", "Health"),
    ("My therapist is on Tuesdays", "habit", "Health"),
    ("I sprained my ankle", "event", "Events"),
    ("I quit smoking on 12 June 2026", "decision", "Health"),
    ("I'm on antidepressants", "identity", "Health"),
    ("I do yoga every morning", "habit", "Interests"),
    ("I'm into photography", "preference", "Interests"),
    ("I'm a big fan of Tolkien", "preference", "Interests"),
    ("I play tennis with Ola on Thursdays", "habit", "Interests"),
    ("My favourite game is Hades", "preference", "Interests"),
    ("I'm learning Spanish", "goal", "Interests"),
    ("I love science fiction novels", "preference", "Interests"),
    ("I watch Formula 1", "habit", "Interests"),
    ("I paint watercolours", "habit", "Interests"),
    ("My vacation starts on 3 July 2026", "event", "Events"),
    ("I have an appointment with the optician on 20 June 2026", "event", "Events"),
    ("The wedding is on 8 August 2026", "event", "Events"),
    ("I'm flying to Rome next month", "event", "Events"),
    ("We have concert tickets for 5 May 2027", "event", "Events"),
    ("I'm from Portugal", "identity", "Personal"),
    ("My birthday is on 3 March", "identity", "Personal"),
    ("I was born in 1990", "identity", "Personal"),
    ("I own a cargo bike", "possession", "Personal"),
    ("I have two cats", "possession", "Personal"),
    ("I have a cat named Miso", "possession", "Personal"),
    ("I like my steak rare", "preference", "Personal"),
    ("I can't stand cilantro", "preference", "Personal"),
    ("I drink green tea in the afternoon", "habit", "Personal"),
    ("I go to bed at eleven", "habit", "Personal"),
    ("We rent a flat in Grünerløkka", "possession", "Personal"),
    ("I speak Norwegian and English", "identity", "Personal"),
    ("I prefer the window seat", "preference", "Personal"),
    ("I'm left-handed", "identity", "Personal"),
    ("I'm saving up for an electric car", "goal", "Personal"),
    ("Keep your answers short", "preference", "General"),
    ("Always answer in metric units", "constraint", "General"),
    ("When the printer jams open the back tray", "procedure", "General"),
    ("RRF stands for reciprocal rank fusion", "definition", "General"),
    ("Use British spelling", "constraint", "General"),
]


@pytest.mark.parametrize(("content", "category", "bank"), BELONGING)
def test_a_memory_goes_where_its_words_belong(content: str, category: str, bank: str) -> None:
    assert bank_of(content, category, BANKS, "General") == bank


def test_a_bank_that_is_not_allowed_becomes_the_default() -> None:
    assert bank_of("I have asthma", "identity", ("Personal", "Work"), "Personal") == "Personal"
    assert bank_of("I have asthma", "identity", (), "Elsewhere") == "Elsewhere"


def test_a_bank_is_spelt_as_it_is_allowed() -> None:
    assert bank_of("I have asthma", "identity", ("HEALTH",), "General") == "HEALTH"


def test_where_no_word_speaks_it_is_the_default() -> None:
    assert bank_of("Xyzzy means plugh", "definition", BANKS, "Work") == "Work"


def test_every_bank_of_the_design_can_be_reached() -> None:
    banks = {bank for bank, _, _ in WORDS}
    banks |= {bank for weights in CATEGORY_WEIGHTS.values() for bank in weights}
    assert banks == set(BANKS)


@pytest.mark.parametrize("unit", ["trip ", "2019 ", "my ", "I have a ", "not ", "a"])
def test_a_long_text_is_read_in_time(unit: str) -> None:
    start = time.perf_counter()
    bank_of((unit * 8192)[:8192], "habit", BANKS, "General")
    assert time.perf_counter() - start < 5  # 60 ms on an idle machine


@given(st.text(max_size=200), st.text(max_size=12), st.lists(st.sampled_from(BANKS)))
def test_only_allowed_banks_or_the_default(text: str, category: str, allowed: list[str]) -> None:
    assert bank_of(text, category, allowed, "Else") in {*allowed, "Else"}
