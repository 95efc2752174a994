"""A few words on each kind of hook for somebody who learns: when it runs, what it gets, what it may return."""

from collections.abc import Mapping
from typing import Final

from hookviz.hooks.hook import Hook, HookKind
from hookviz.hooks.intervening import InterventionHook

ABOUT: Final[Mapping[HookKind, str]] = {
    "forward_pre": (
        "Runs before forward with the module and its arguments. Return None to leave them, or new arguments: "
        "a tuple, or one value for a single argument. Keyword arguments come only with with_kwargs=True."
    ),
    "forward": (
        "Runs after forward with the module, its arguments and its output. Return None to leave the output, or "
        "what takes its place. Each hook gets what the one before it made; the last one's is what the caller gets."
    ),
    "backward_pre": (
        "Runs in backward before the gradient goes through the module, with grad_output: the gradient of the loss "
        "with respect to the module's output, which arrives from what comes after it. Return None or a new tuple."
    ),
    "backward": (
        "Runs in backward after the gradient went through the module. grad_output arrived at its output, grad_input "
        "leaves at its input; both are tuples. Return None, or a new grad_input for what comes before the module. "
        "Where no input needs a gradient, grad_input is None and the hook runs before those of the modules inside. "
        "PyTorch hands the module views for it: an operation in place beside it then raises 'is a view and is being "
        "modified inplace'; a tensor hook on the output has no such side effect."
    ),
    "tensor": (
        "Runs in backward with the gradient of this tensor, all its uses together, before it is added to .grad. "
        "Return None, or a gradient of the same shape."
    ),
    "post_accumulate_grad": (
        "Runs in backward when the gradient has been added to parameter.grad, with the parameter. What it returns "
        "is ignored: it changes parameter.grad itself, as an optimizer inside of backward does."
    ),
    "grad_accumulator": (
        "Hangs on the autograd node that adds to parameter.grad and runs around that, as distributed training uses it."
    ),
    "state_dict_pre": "Runs when state_dict() begins, before the module's values are collected.",
    "state_dict": "Runs when state_dict() has collected the module's values, and may change the dictionary.",
    "load_state_dict_pre": "Runs when load_state_dict() begins, and may change the dictionary that is loaded.",
    "load_state_dict_post": "Runs when load_state_dict() is done, and may change the list of missing keys.",
    "parametrization": (
        "Computes the parameter from its original values each time it is read, as in module.weight; "
        "the optimizer trains the original."
    ),
    "patched_forward": "Replaces forward on this one module; hooks run around it as around the original.",
    "global_forward_pre": "Runs before the forward of every module of the process, before the module's own hooks.",
    "global_forward": "Runs after the forward of every module of the process, before the module's own hooks.",
    "global_backward_pre": "Runs in backward for every module of the process, before the module's own hooks.",
    "global_backward": "Runs in backward for every module of the process, before the module's own hooks.",
    "global_register_parameter": "Runs whenever any module of the process gets a parameter.",
    "global_register_buffer": "Runs whenever any module of the process gets a buffer.",
    "global_register_module": "Runs whenever any module of the process gets a child.",
}

LEGACY: Final = (
    "An old backward hook: its grad_input is that of the last operation in forward, not of the module, where forward "
    "is more than one operation. register_full_backward_hook gives the module's own."
)


ON_GRADIENT: Final = (
    "Changes a gradient in backward: grad_output, which arrives at the module's output from the loss, or grad_input, "
    "which leaves at its input. In forward it only puts a hook on the tensor whose gradient that is."
)


def about(hook: Hook) -> str:
    """What somebody should know who sees a hook of this kind for the first time."""
    if type(hook.function) is InterventionHook and hook.function.is_on_gradient:
        return ON_GRADIENT
    return LEGACY if "legacy" in hook.flags else ABOUT[hook.kind]
