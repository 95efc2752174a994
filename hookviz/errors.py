"""Every error that hookviz raises on purpose.

HookvizError
 ├─ NotAModelError        what was given to watch is not a module instance
 ├─ ModelGoneError        the watched model no longer exists
 ├─ ClosedSessionError    the session was closed
 ├─ UnknownModuleError    no module or parameter at this path
 ├─ PatternError          a pattern that matches nothing
 ├─ OptionError           an option of a type that it cannot have
 ├─ LimitError            a limit outside its range
 ├─ NotCapturedError      nothing was recorded there yet
 ├─ UnknownStepError      no captured step of this number can be looked at
 ├─ NotKeptError          the statistics are there, the tensor is not
 ├─ UnknownMarkError      the history has no training of this name
 ├─ NotFiniteError        a run was stopped at its first NaN, as it was asked to
 ├─ ExportError           a file that cannot be written in this form, or there
 ├─ ProtectedHookError    a hook that must not be switched or removed
 ├─ HookGoneError         a hook that its owner removed meanwhile
 ├─ HookContractError     a hook returned what PyTorch does not take
 ├─ InterventionError     an intervention that cannot be made like this, or here
 ├─ PackageError          programs that do not make a package
 ├─ RenderError           no engine could lay out the diagram
 ├─ PandasMissingError    a table was asked for where pandas is not installed
 ├─ BundleMissingError    the widget's front end was not built
 └─ NoNotebookError       there is nothing to display in
"""


class HookvizError(Exception):
    """What all errors of hookviz have in common; catch it to catch them all."""


class NotAModelError(HookvizError, TypeError):
    """What was given to watch is not an instance of ``torch.nn.Module``."""


class ModelGoneError(HookvizError, ReferenceError):
    """The watched model was dropped by its owner; a session does not keep it alive."""


class ClosedSessionError(HookvizError, RuntimeError):
    """The session was closed, so it can neither capture nor change anything."""


class UnknownModuleError(HookvizError, KeyError):
    """The model has no module and no parameter at this path."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument, which would quote the whole sentence.
        return str(self.args[0]) if self.args else ""


class PatternError(HookvizError, ValueError):
    """A pattern of ``only`` or ``exclude`` matches no module of the model."""


class ProtectedHookError(HookvizError, ValueError):
    """The model would break without this hook, or it belongs to somebody else; the message says why."""


class HookGoneError(HookvizError, LookupError):
    """The hook's owner removed it, or the model that carried it no longer exists."""


class HookContractError(HookvizError, TypeError):
    """A hook returned what PyTorch does not take from a hook of its kind; the message has the contract."""


class InterventionError(HookvizError, ValueError):
    """An intervention cannot be made of these values, or on what it met; the message says what fits."""


class PackageError(HookvizError, TypeError):
    """A package cannot be made of these programs, or what was given as its hook cannot be called."""


class OptionError(HookvizError, TypeError):
    """An option has a type that it cannot have; the message says what it takes."""


class LimitError(HookvizError, ValueError):
    """A limit or an interval lies outside of the range that makes sense."""


class NotCapturedError(HookvizError, LookupError):
    """Nothing was recorded at this place yet; the message gives the reason."""


class UnknownStepError(HookvizError, LookupError):
    """No captured step of this number can be looked at; the message has those that can."""


class NotKeptError(HookvizError, LookupError):
    """The statistics of this value are there but its tensor was not kept."""


class UnknownMarkError(HookvizError, LookupError):
    """The history has no training under this mark; the message has those there are."""


class NotFiniteError(HookvizError, ArithmeticError):
    """A module returned a NaN, or got one as a gradient, in a run that is to stop there.

    See ``stop_on_nan`` of ``hookviz.watch``.
    """

    def __init__(self, message: str, *, path: str = "", step: int = 0, value: str = "") -> None:
        super().__init__(message)
        self.path = path
        """The module, by its path; the model itself is ``""``."""
        self.step = step
        """Number of the run, from 1."""
        self.value = value
        """Which of its values: ``output``, ``output[1]``, ``grad_output[1]``."""


class ExportError(HookvizError, ValueError):
    """The file name asks for a form that hookviz does not write, or for a folder that is not there."""


class RenderError(HookvizError, RuntimeError):
    """No engine could lay out the diagram; the text tree still works."""


class PandasMissingError(HookvizError, ImportError):
    """A table was asked for, and pandas, which makes it, is not installed."""


class BundleMissingError(HookvizError, ImportError):
    """The widget's script and style sheet were not built; a wheel always carries them."""


class NoNotebookError(HookvizError, RuntimeError):
    """Something was to be displayed where there is neither a notebook nor IPython."""
