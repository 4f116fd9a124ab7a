import sys
from training.cli import main
try: main(sys.argv[1:])
finally:
    r={}
    for m in sys.modules: r[m.split('.')[0]]=r.get(m.split('.')[0],0)+1
    print(sorted(r.items(), key=lambda x:-x[1])[:25], [m for m in ("torch._dynamo","torch._inductor","torch.fx.experimental.symbolic_shapes","sympy") if m in sys.modules], file=sys.stderr)
