"""Words by which one thing is found in another memory when it ends or changes: data."""

from __future__ import annotations

# Verbs of what was reached, bought or finished.
_DONE = (
    "finished completed passed ran won defended graduated published bought found got visited lost "
    "reached learned learnt climbed paid moved adopted achieved built launched opened submitted "
    "handed wrapped read saw swam cycled walked hiked earned became joined started saved quit met "
    "made wrote sold had did went flew married gave failed"
)
DONE = frozenset(_DONE.split())
# Stems that say nothing of what is meant.
_LIGHT = (
    "use drink lik eat wear plai tak subscrib go do mak want need am keep run get giv put see "
    "time thing lot bit year month week dai old new it prefer pai liv stai up out down off bui "
    "sell all any so first second third own whole entir last final littl big belov"
)
LIGHT = frozenset(_LIGHT.split())
# Of these not even the verb alone says what is meant: "I don't use it any more".
_LIGHTEST = "use do go have lik want need mak get tak eat drink am keep see it"
LIGHTEST = frozenset(_LIGHTEST.split())
# Nouns of what one takes part in, which the older memory may have left out.
_GENERIC = (
    "school cours degre class lesson test exam licenc subscription account studi train membership "
    "member app habit hobbi diet project trip plan team club hous flat apartment place home room"
)
GENERIC = frozenset(_GENERIC.split())
# Stems that two memories of different things share.
_COMMON = (
    "use drink lik eat driv wear plai tak subscrib go do mak want need am keep be run get giv put "
    "see have work read watch listen learn liv bui sell studi speak teach cook love time thing lot "
    "year month week dai old new favourit prefer on from not home with my one all everi most more"
)
COMMON = frozenset(_COMMON.split())
# Verbs of what one has or does one of, so that the verb alone shows the thing.
OF_ONE = frozenset(("report", "commut", "wak", "earn", "weigh", "bank", "vot", "pai"))
