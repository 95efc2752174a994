"""Which functions of torch make a node of the flow, under which name, and which only hand data on."""

from dataclasses import dataclass
from typing import Any, Literal

Effect = Literal[
    "compute", "arrange", "arrange_each", "write", "overwrite", "constant", "leave", "import", "adopt", "ignore"
]
"""What a function does to the numbers it is given.

``compute``: makes new ones. ``arrange``: gives those of its first tensor in another shape, type or
place. ``arrange_each``: the same for each of its tensors. ``write``: changes its first argument.
``overwrite``: replaces its first argument without reading it. ``constant``: takes at most the shape
of a tensor. ``leave``: hands the numbers out of torch. ``import``: brings numbers in from outside.
``adopt``: lets its first argument stand for the numbers of its second, as ``x.data = y`` does.
``ignore``: neither makes nor changes a tensor.
"""


@dataclass(frozen=True, slots=True)
class Operation:
    """A function as the flow sees it."""

    name: str
    """As it is shown: ``add`` for ``__radd__``, ``add_`` and ``Tensor.add`` alike."""
    effect: Effect


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ARRANGE = _names(
    """
    T H mT mH data real imag
    adjoint alias as_strided as_subclass broadcast_to clone contiguous cpu cuda detach diagonal expand expand_as
    align_to align_as refine_names rename
    flatten movedim moveaxis narrow permute pin_memory positive ravel reshape reshape_as resolve_conj resolve_neg
    select slice_copy squeeze swapaxes swapdims t to transpose type type_as unflatten unfold unsqueeze view view_as
    view_as_complex view_as_real view_copy
    bfloat16 bool byte char double float half int long short
    chunk dsplit hsplit split split_with_sizes tensor_split unbind unsafe_chunk unsafe_split vsplit
    atleast_1d atleast_2d atleast_3d
    """
)
"""Shape, type and place only. They are traced but not shown: the edge goes through them, for a
reader looks for what happens to the numbers, and every attention layer reshapes a dozen times."""

_ARRANGE_EACH = frozenset({"broadcast_tensors", "meshgrid", "align_tensors"})

_CONSTANT = _names(
    """
    zeros_like ones_like empty_like full_like rand_like randn_like randint_like
    new_zeros new_ones new_empty new_full new_empty_strided
    """
)

_OVERWRITE = frozenset({"copy_", "set_", "resize_as_"})

_LEAVE = frozenset({"numpy", "__array__", "tolist", "__dlpack__"})

_IMPORT = frozenset({"tensor", "as_tensor", "asarray", "from_numpy", "from_dlpack", "frombuffer", "new_tensor"})

_IGNORE = _names(
    """
    size dim ndimension numel nelement stride storage_offset element_size data_ptr untyped_storage storage
    item is_floating_point is_complex is_contiguous is_signed is_set_to is_same_size is_pinned is_shared is_inference
    is_conj is_neg is_nonzero get_device
    requires_grad_ retain_grad register_hook register_post_accumulate_grad_hook backward
    result_type promote_types can_cast equal allclose is_same_size has_names
    __len__ __bool__ __int__ __float__ __complex__ __index__ __hash__ __repr__ __str__ __format__ __contains__
    __reduce_ex__ __dir__ __dlpack_device__ __array_wrap__ __cuda_array_interface__
    """
)

_IN_PLACE_OPERATORS = frozenset(
    {
        f"__i{name}__"
        for name in ("add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
    }
    | {"__ilshift__", "__irshift__"}
)

_REFLECTED_OPERATORS = frozenset(
    f"__r{name}__"
    for name in (
        *("add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow", "matmul"),
        *("and", "or", "xor", "lshift", "rshift"),
    )
)

_SAME = {"truediv": "div", "true_divide": "div", "rsub": "sub", "multiply": "mul", "divide": "div", "subtract": "sub"}


def operation_of(function: Any) -> Operation:
    """How the flow treats this function; told by its name, since torch has the same function in many places."""
    # An overload of ``torch.ops`` is called ``add.Tensor``.
    name = str(getattr(function, "__name__", "") or "function").partition(".")[0]
    if name in {"__get__", "__set__", "__delete__"}:
        attribute = str(getattr(getattr(function, "__self__", None), "__name__", ""))
        if name == "__set__" and attribute == "data":
            return Operation("data", "adopt")
        return Operation(attribute, "arrange" if name == "__get__" and attribute in _ARRANGE else "ignore")
    return Operation(_plain(name), _effect(name))


def _effect(name: str) -> Effect:
    named: tuple[tuple[frozenset[str], Effect], ...] = (
        (_IGNORE, "ignore"),
        (_ARRANGE, "arrange"),
        (_ARRANGE_EACH, "arrange_each"),
        (_CONSTANT, "constant"),
        (_LEAVE, "leave"),
        (_IMPORT, "import"),
        (_OVERWRITE, "overwrite"),
    )
    for names, effect in named:
        if name in names:
            return effect
    if name.endswith("_") and not name.endswith("__"):
        # ``unsqueeze_`` and ``t_`` change the shape of the tensor itself, none of its numbers.
        return "arrange" if name[:-1] in _ARRANGE else "write"
    return "write" if name in _IN_PLACE_OPERATORS or name == "__setitem__" else "compute"


def _plain(name: str) -> str:
    is_operator = name in _IN_PLACE_OPERATORS or name in _REFLECTED_OPERATORS
    plain = name[3:-2] if is_operator else name.strip("_") or name
    return _SAME.get(plain, plain)
