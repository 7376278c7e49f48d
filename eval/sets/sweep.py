"""read all turns of dev conversations once; sweep thresholds of what is kept"""
import json,glob,sys,pickle,itertools
from collections import Counter
from memory.understanding.reader import OfflineReader
from memory.understanding import MessageText
from memory.clock import local_clock
from memory.secrets import find_secrets, redact
import memory.understanding.types as T, memory.ingestion.extraction as E
from agent.commands.parser import parse_commands, ReceivedMessage
import asyncio
def convs():
    for f in sorted(glob.glob("/work/wt/e5/eval/life/conversations/r*.json"))+sorted(glob.glob("/work/shared/data/life-dev/*.json")):
        d=json.load(open(f)); yield f.split("/")[-1],d
R=OfflineReader()
async def load():
    out=[]
    for name,d in convs():
        if "turns" not in d: continue
        for t in d["turns"]:
            h=await ReceivedMessage.listen(t["say"],R)
            out.append((name,d["language"],t,h))
    return out
def kept(h):
    segs=h.beside(h.commands)
    ks=[E.tidy_sentence(s.text) for s in E.statements_in(segs)]
    ks+=[c.text for c in h.commands if c.name in("remember","remember_anyway") and c.text]
    return ks
def holds(ks,g): return any(all(w in k.casefold() for w in g) for k in ks)
def measure(data):
    c=Counter()
    for name,l,t,h in data:
        say=t["say"].casefold(); ks=None
        rd="dev" if not name[0]=="r" else name[:2]
        for k in ("present","absent"):
            for g in t.get(k,[]):
                if not all(w in say for w in g): continue
                if t["kind"] in("forget",) : continue
                ks=kept(h) if ks is None else ks
                ok=holds(ks,g)==(k=="present")
                c[k,"n"]+=1; c[k,"ok"]+=ok; c[k,rd,"n"]+=1; c[k,rd,"ok"]+=ok; c[k,l,"n"]+=1; c[k,l,"ok"]+=ok; c[k,"kind",t["kind"],"n"]+=1; c[k,"kind",t["kind"],"ok"]+=ok
    return c
if __name__=="__main__":
    data=asyncio.run(load())
    for kf,tf,qf in [(k,tt,q) for k in (.06,.08,.12,.16,.2,.25) for tt in (.47,.6,1.1) for q in (1.1,)]+[(.12,.47,q) for q in (.3,.4,.5,.6,.7)]:
        T.KEPT_FROM=kf; T.TALK_FROM=tf; T.QUOTED_FROM=qf
        c=measure(data)
        print(kf,tf,qf,"present %.3f absent %.3f"%(c["present","ok"]/c["present","n"],c["absent","ok"]/c["absent","n"]), " ".join(f"{r} {c['present',r,'ok']}/{c['present',r,'n']} {c['absent',r,'ok']}/{c['absent',r,'n']};" for r in("dev","r5","r6","r7")))
    T.KEPT_FROM,T.TALK_FROM,T.QUOTED_FROM=.12,.47,.5
    c=measure(data)
    for k in sorted(map(str,c)): pass
    for key in sorted({k[:-1] for k in c if len(k)>2},key=str): print(key, f"{c[(*key,'ok')]}/{c[(*key,'n')]}")
