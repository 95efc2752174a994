"""Waiting until a widget moves no more, by its animations and its frames: a busy machine draws fewer of them."""

from playwright.sync_api import Locator

STILL_FRAMES = 20

# Something that pulses for ever never ends.
MOVING = """part => part.getAnimations({ subtree: true })
    .filter(({ effect, playState }) => playState === "running" && effect.getComputedTiming().endTime !== Infinity)"""


def wait_for_animations(part: Locator) -> None:
    """Wait until nothing in a part glides or fades: in between, its colours and places are those of no state."""
    part.evaluate(
        f"""async part => {{
            const moving = {MOVING};
            while (moving(part).length > 0) await Promise.allSettled(moving(part).map(({{ finished }}) => finished));
        }}"""
    )


def settled(part: Locator) -> tuple[float, float]:
    """Where a part of a widget is in it, wherever the notebook scrolled it to, once it has stood still for a while."""
    while (place := part.evaluate(PLACE_ONCE_STILL, STILL_FRAMES)) is None:
        pass
    x, y = place
    return x, y


PLACE_ONCE_STILL = f"""async (part, frames) => {{
    const root = part.closest(".hookviz");
    const moving = {MOVING};
    const place = () => {{
        const [own, frame] = [part.getBoundingClientRect(), root.getBoundingClientRect()];
        return [own.x - frame.x, own.y - frame.y];
    }};
    let before = place();
    for (let still = 0; still < frames; still += 1) {{
        await new Promise(requestAnimationFrame);
        // Another picture took the place of the one that it belonged to.
        if (!part.isConnected) return null;
        const now = place();
        if (moving(root).length > 0 || now.some((number, axis) => number !== before[axis])) still = -1;
        before = now;
    }}
    return before;
}}"""
"""The place, or null where the part is no longer on the page."""
