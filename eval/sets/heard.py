import asyncio,json,sys
from collections import Counter
from agent.commands.parser import ReceivedMessage
from memory.understanding.reader import OfflineReader
from memory.understanding.relations import relations_of
from memory.ingestion.extraction import OfflineExtractor, ExtractionInput
from memory.understanding import Interpretation
from memory.clock import local_clock
from memory.ingestion import deduplication as D
R=OfflineReader(); 
try: X=OfflineExtractor(R,resolve=lambda t,_:(t,None))
except TypeError: X=None
def rows(f): return [json.loads(l) for l in open(f"/work/tests/{f}.jsonl") if l.strip()]
V="-v" in sys.argv
async def run(text):
    h=await ReceivedMessage.listen(text,R)
    s=ExtractionInput(text=text,said_at=local_clock(),reading=Interpretation(h.beside(h.commands)))
    kept=[c.content for c in await X.extract(s)]
    kept+=[c.text for c in h.commands if c.name in("remember","remember_anyway") and c.text]
    return h,kept
def holds(kept,g): return any(all(w.casefold() in k.casefold() for w in g) for k in kept)
async def main():
    c=Counter()
    for r in rows("pastes"):
        k="request" if r.get("kind")=="request" else "paste"
        h,kept=await run(r["say"]); c[k]+=1
        bad=[g for g in r["absent"] if holds(kept,g)]; c[k+" wrong"]+=bool(bad); c[k+" groups wrong"]+=len(bad)
        c["own facts"]+=len(r["present"]); c["own facts kept"]+=sum(holds(kept,g) for g in r["present"])
        if V and (bad or not all(holds(kept,g) for g in r["present"])): print(k, repr(r["say"]), "->", kept, [x.name for x in h.commands])
    print(dict(c))
    c=Counter()
    for r in rows("mixed"):
        h,kept=await run(r["say"]); c["n"]+=1
        want=[p.split(":")[0] for p in r["parts"] if p.split(":")[0] not in("fact","question","request")]
        got=[x.name for x in h.commands]
        ok=all(holds(kept,g) for g in r["present"]); c["present"]+=len(r["present"]); c["present kept"]+=sum(holds(kept,g) for g in r["present"])
        a=sorted(x for x in want)==sorted(got); c["commands as wanted"]+=a; c["wanted"]+=len(want); c["heard"]+=sum((Counter(want)&Counter(got)).values()); c["whole"]+=a and ok
        if V and not (a and ok): print(r["parts"], got, kept)
    print(dict(c))
    c=Counter(); by={}
    rate=float(D.REPLACE_FROM); ask=float(D.ASK_FROM)
    for r in rows("values"):
        [x]=relations_of(r["new"],[r["old"]]); l=r["language"]
        d="replace" if x.over>=rate else "ask" if x.over>=ask else "keep"
        c[r["holds"],d]+=1; by.setdefault((l,r["holds"]),Counter())[d]+=1
        if V: print(r["holds"],round(x.over,2),r["old"],"|",r["new"])
    print(dict(c)); print({k:dict(v) for k,v in sorted(by.items())})
asyncio.run(main())
