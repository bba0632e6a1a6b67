import torch
from torch import nn
import pytest
from offload_core import OffloadedAdamW, Placement, NvmePath


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.attn = nn.MultiheadAttention(d, 1, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(d, 37), nn.GELU(), nn.Linear(37, d))

    def forward(self, x):
        h = self.norm(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        return x + self.mlp(x)


class Tiny(nn.Module):
    def __init__(self, d=13, v=29):
        super().__init__()
        self.embed = nn.Embedding(v, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(2))
        self.head = nn.Linear(d, v, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids):
        x = self.embed(ids)
        for b in self.blocks:
            x = b(x)
        return self.head(x)


def run(make, steps=20):
    torch.manual_seed(0)
    model = Tiny()
    opt = make(model)
    for k in range(steps):
        ids = torch.randint(0, 29, (2, 7))
        loss = nn.functional.cross_entropy(model(ids).view(-1, 29), ids.view(-1))
        loss.backward()
        opt.step()
        opt.zero_grad()
    if isinstance(opt, OffloadedAdamW):
        opt.synchronize()
    return model, opt


@pytest.mark.parametrize("host", [0, 10000, "1GiB"])
@pytest.mark.parametrize("schedule", ["plain", "into_forward"])
@pytest.mark.parametrize("partition_bytes", [1024, 5000, "1MiB"])
def test_offloaded_adamw_is_bit_equal_to_torch(tmp_path, host, schedule, partition_bytes):
    def make(model):
        o = OffloadedAdamW(
            model.parameters(),
            lr=1e-2,
            placement=Placement(host_bytes=host, nvme=[NvmePath(tmp_path / "nv")]),
            run_dir=tmp_path / "run",
            partition_bytes=partition_bytes,
            buffer_bytes="3MiB" if partition_bytes == "1MiB" else 32768,
            schedule=schedule,
        )
        o.attach(model)
        return o

    want, ref = run(lambda m: torch.optim.AdamW(m.parameters(), lr=1e-2, fused=True))
    got, opt = run(make)
    for (n, a), b in zip(want.named_parameters(), got.parameters()):
        assert torch.equal(a, b), n
    s = opt.state_dict()["state"]
    r = ref.state_dict()["state"]
    assert s.keys() == r.keys()
    for k in r:
        for f in r[k]:
            assert torch.equal(r[k][f], s[k][f])
    print(opt.last_step.overlap_share, opt.last_step.bytes_read, opt.last_step.stall_seconds)
    opt.close()
