"""Public members that are there for hookviz itself, and may change: no page need tell of them."""

import hookviz

FOR_HOOKVIZ: dict[type, set[str]] = {
    hookviz.Session: {
        "apply", "badges", "cell_thread", "data_version", "hold", "hook_reports", "hooks_version",
        "is_used_elsewhere", "look_for_hooks", "look_into", "notice", "picture", "structure_version", "tick",
        "troubles", "when_closed",
    },
    hookviz.Hook: {"board", "flags", "id", "place"},
    hookviz.Capture: {
        "glimpse", "has_memory", "has_values_of", "is_lent", "is_measured", "is_overwritten", "let_go", "lose",
        "moments", "numbers", "own", "shorten_sample", "without_tensor",
    },
}  # fmt: skip
