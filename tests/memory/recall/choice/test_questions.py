from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.understanding.sentences import is_question
from tests.memory.growth import grows_too_fast

ASKS = [
    "When is Ada's recital?",
    "Who is your mother",
    "who is your creator",
    "User asked who their mother is",
    "The user asked when the recital is.",
    "User wants to know whether the shop is open",
    "User asked about the capital of France",
    "The user asked me what the weather is like",
    "I asked you where the station is",
    "what's my name",
    "how old is Tom",
    "what kind of tea do I like",
    "which dentist did I see in May",
    "do you know my name",
    "is my sister married",
    "where do I live",
    "Hi! When is Ada's recital?",
    "Hey, when is Ada's recital",
    "What did I say about Rome? And when was it?",
    "You live in Oslo?",
    "What about Ada?",
    "¿Dónde vive mi madre?",
    "ママはどこ？",
    "Tell me about Rome.",
    "tell me who my mother is",
    "Please, can you help me?",
    "I can't remember. What is my PIN?",
    "Would you like me to draft it?",
    "So when is it?",
    "who called me yesterday",
    "Remind me who Tom is",
    "How many cats does Ada have",
    "When does the train leave?",
    "My mother, who is she?",
    "Is it ok if I eat nuts?",
    "what happened to my bike",
    "Ok thanks. What is the capital of Peru?",
    "Should I take the job?",
    "Did I tell you my name?",
    "Did I mention Ada?",
    "Can I bring my dog to the office?",
    "User asked how to cook rice",
    "I was wondering, when is Ada's recital?",
    "I'd like to know: where did I park?",
    "If I move to Oslo, which dentist is near?",
    "How many classes have I taken, and what mark did I get?",
    "Is Ada home, or is she out?",
    "According to John, who is the best player?",
    "hmm, so how do I set up alerts?",
    "whose bike did I borrow",
    "what time does my train leave",
    "when's the dentist",
    "whats my cats name",
    "who came to my party",
    "in which year did we move to Bonn",
    "since when do I work at Lindt",
    "wo wohne ich",
    "Wie heißt meine Schwester",
    "wie alt ist Tom",
    "wann habe ich Geburtstag",
    "habe ich eine Katze",
    "kannst du mir sagen, wo ich wohne?",
    "dónde vivo",
    "cómo se llama mi hermana",
    "cuándo es mi cita",
    "où est-ce que j'habite",
    "où habite ma sœur",
    "quel est mon plat préféré",
    "comment s'appelle mon chat",
    "est-ce que j'ai un chat",
    "hvor bor jeg",
    "hva heter søsteren min",
    "når har jeg bursdag",
    "hvem er sjefen min",
]

TELLS = [
    "I wonder whether Tom, who moved to Oslo, likes snow",
    "I wonder whether Ada is back.",
    "My favourite question is why",
    "My favourite question is why?",
    'My favourite book is "Who Moved My Cheese?"',
    "My favourite film is O Brother, Where Art Thou?",
    "When I was ten I lived in Rome",
    "What I like most is tea",
    "Where I live it rains a lot",
    "How I met Ada: at a concert",
    "Which is why I left",
    "User asked for a vegetarian menu",
    "User asked the assistant to always use British spelling",
    "User asked Maria to marry him",
    "User asked to be called Bob",
    "User asked when the recital is; it is on Friday",
    "User asked about nut-free bakeries because Tom is allergic to nuts",
    "When is Ada's recital? On Friday.",
    "Ada's recital is on Friday. Do you want to come?",
    "We live in Oslo, don't we?",
    "My sister's name is Ruth, right?",
    "My son Tom is allergic to nuts, what can I bake?",
    "Since I moved to Oslo last May, which dentist should I use?",
    "I have a meeting with Tom at 3, can you remind me?",
    "Will Smith is my neighbour",
    "There is a train at nine, isn't there?",
    "I'm kinda worried that I only got 3 interviews in May, is that a good sign?",
    "I'm meeting my mentor Robert at the library on 10 February - how do I make an impression?",
    "Our team won the cup last year, who could have known?",
    f"How can I use the phrases of my paper: {'one, ' * 20}?",
    ";)",
    'The sign says "Where are you?"',
    "May is my birthday month",
    "Do my taxes by April",
    "Had a great day in Rome",
    "Was a teacher in Rome",
    "Did you know that I'm left-handed?",
    "Did I tell you that I got the job?",
    "Can you always answer in French?",
    "Who: Ada. When: Friday.",
    "Question everything, says Ada",
    "The FAQ page needs a question about prices",
    "User prefers uv over pip",
    "Is allergic to nuts",
    "Had I known, I'd have left",
    "So am I",
    "How to reset the router: hold the button",
    "What to pack for Rome: socks",
    "Ada asked whether I can swim",
    "I asked Ada who the father is",
    "User is asking around for a flat",
    "Have a dog named Rex",
    "Ada works at Which? magazine",
    "I work for Yahoo! and like it",
    "Tell me when I make grammar mistakes",
    "Whoever calls, say I'm out",
    "Whose turn it is does not matter to me",
    "How I like my eggs: soft",
    "What Ada said was kind",
    "When Ada is away I water her plants",
    "Why I left my job: burnout",
    "who knows me knows I hate olives",
    "Who dares wins is my motto",
    "when I was ten we moved to Bonn",
    "what's done is done, I sold the car",
    "where my parents live there is no train",
    "what my sister likes is hiking",
    "how old my house is nobody knows",
    "wo ich wohne, ist es laut",
    "was ich am liebsten esse, ist Reis",
    "wer mich kennt, weiß dass ich Oliven hasse",
    "wenn ich krank bin, trinke ich Tee",
    "als ich zehn war, zogen wir nach Bonn",
    "donde vivo llueve mucho",
    "lo que más me gusta es nadar",
    "cuando era niño vivía en Lugo",
    "quien me conoce sabe que odio las aceitunas",
    "où j'habite il pleut beaucoup",
    "quand j'avais dix ans nous avons déménagé",
    "qui me connaît sait que je déteste les olives",
    "hvor jeg bor er det stille",
    "da jeg var ti flyttet vi til Bonn",
    "når jeg er syk drikker jeg te",
    "Ist Vegetarier",
    "Har en hund som heter Rex",
]


def test_what_only_asks() -> None:
    assert [text for text in ASKS if not is_question(text)] == []


def test_what_tells() -> None:
    assert [text for text in TELLS if is_question(text)] == []


@given(st.sampled_from(ASKS), st.sampled_from(["Ada plays the cello.", "It is on Friday."]))
def test_one_statement_makes_it_tell(question: str, statement: str) -> None:
    assert not is_question(f"{question}\n{statement}")
    assert not is_question(f"{statement} {question}")


@given(st.lists(st.sampled_from(ASKS), min_size=1, max_size=4))
def test_several_questions_only_ask(questions: list[str]) -> None:
    assert is_question("\n".join(questions))


@given(st.text(max_size=300))
def test_any_text_can_be_looked_at(text: str) -> None:
    assert is_question(text) in (True, False)


def test_nothing_asks_nothing() -> None:
    assert [text for text in ("", "  \n", "...", "Ada") if is_question(text)] == []


PIECES = [
    "?", ".", " ", "\n", "' ", '" ', "hi ", "tell me ", "my ", "who is ", "Who? ", ", ",
    "I am a ",
]  # fmt: skip


def test_a_long_text_takes_no_longer_than_its_length() -> None:
    assert grows_too_fast(lambda text: is_question(f"{text}?"), PIECES, length=100_000) == []
