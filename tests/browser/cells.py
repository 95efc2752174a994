"""What the stories write into their notebooks."""

NET = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.features(x))

torch.manual_seed(0)
model = Net()
"""

WATCH = "%load_ext hookviz\n%hookviz model"

RUN = "output = model(torch.rand(16, 4))"

OPTIMIZER = "optimizer = torch.optim.SGD(model.parameters(), lr=0.01)"

TRAIN = """
optimizer.zero_grad()
model(torch.rand(16, 4)).square().mean().backward()
optimizer.step()
"""
"""One step, for ``start_loop``."""

SESSION = "import hookviz\nsession = hookviz.watch(model)"
"""The session that ``%hookviz`` opened: watching a watched model gives the same."""
