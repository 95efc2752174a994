"""From which numbers on something looks wrong, and why from there on.

Each is set so that networks that learn well stay on the good side of it by a wide margin: an alarm that is
often false is soon overlooked.
"""

GROWTH = 100.0
"""Values that a layer makes so many times larger than they came look like an explosion.

Weights are initialised so that a layer keeps the size of what flows through it: He and others,
"Delving deep into rectifiers", https://arxiv.org/abs/1502.01852, section 2.2; Glorot and Bengio,
"Understanding the difficulty of training deep feedforward neural networks", AISTATS 2010. Trained layers
seldom make it ten times larger.
"""

EXPLODED = 1e4
"""A gradient so many times larger than at the model's output has grown on its way back.

See Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent neural networks",
https://arxiv.org/abs/1211.5063.
"""

SPIKE = 1e3
"""A gradient so many times larger than its own median over the history is about to throw the weights away."""

SPIKE_RUNS = 10
"""Of fewer runs, a median says little."""

VANISHED = 1e-5
"""A gradient that is a smaller share of the one at the model's output teaches nothing.

Ten layers of sigmoids, of which each lets a quarter through at best, leave a millionth; see Glorot and Bengio.
"""

PERSISTENT = 3
"""In so many captured runs in a row: branches whose last layer begins with zeros, as residual networks and
adapters have them, get no gradient in the first step, and do in the next."""

DEAD_SHARE = 0.4
"""So many of a layer's units must be dead. Some always are: pixels that are always black leave units without
input. "As much as 40% of your network can be dead if the learning rate is set too high": Andrej Karpathy,
https://cs231n.github.io/neural-networks-1/#actfun."""

DEAD_VALUES = 200
"""So many values of each unit must have been looked at: one that is active for 2 % of them is dead with less
than 2 % probability."""

SMOOTH_ZERO = 1e-5
"""Below it, GELU and its like are as good as 0: GELU(-5) is -1.4e-6, and so is its derivative."""

DEAD_BEFORE_GELU = -5.0
"""What enters a GELU below this leaves it as good as 0; see ``SMOOTH_ZERO``."""

AT_THE_END = 0.01
"""So near to an end of its range, a sigmoid or tanh lets at most 2 % of the gradient through: its derivative is
y(1 - y), or 1 - y²."""

SURE = 0.999
"""A softmax whose largest share is above this lets less than 0.1 % of the gradient through."""

SATURATED_SHARE = 0.9
"""So many of the values, or rows of a softmax, must be at the ends. Gates that are open or shut are normal;
a layer in which nearly all are cannot learn. See Glorot and Bengio, section 3."""

UNMOVED_RUNS = 20
"""So many runs with a backward must have moved no parameter at all; those that only add to gradients which were
not cleared are not counted, since a step may still come."""

UNCHANGED_RUNS = 3
"""So many steps of training, in which other parameters moved, must have left a parameter as it was."""
