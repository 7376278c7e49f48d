import json,sys
from collections import Counter
from memory.secrets import find_secrets, redact
c=Counter()
for l in open("/work/tests/secrets.jsonl"):
    r=json.loads(l); red=redact(r["text"]) ; l=r["language"]
    for s in r["secrets"]:
        c["secrets"]+=1; ok=s not in red; c["out"]+=ok; c[l,"secrets"]+=1; c[l,"out"]+=ok
        if not ok and "-v" in sys.argv: print("MISSED",r["text"],"|",s)
    if not r["secrets"]:
        c["none"]+=1; fp=red!=r["text"]; c["false"]+=fp; c[l,"none"]+=1; c[l,"false"]+=fp
        if fp and "-v" in sys.argv: print("FALSE",red)
    c["rest"]+=len(r["rest"]); c["rest kept"]+=sum(w.casefold() in red.casefold() for w in r["rest"])
print(dict(c))
