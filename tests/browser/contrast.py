"""How well the texts of the picture stand out, which axe-core does not look at: they are SVG."""

from playwright.sync_api import Locator

from tests.browser.stillness import wait_for_animations

ENOUGH = 4.5
"""For text of this size, https://www.w3.org/TR/WCAG22/#contrast-minimum."""


def contrasts(picture: Locator) -> dict[str, float]:
    """The least contrast of each kind of text on a card, and of the numbers beside edges, with what lies behind it."""
    wait_for_animations(picture)
    found: dict[str, float] = picture.evaluate(
        """picture => {
            const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
            const mixed = (...layers) => {
                for (const layer of layers) {
                    pen.fillStyle = layer;
                    pen.fillRect(0, 0, 1, 1);
                }
                return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
            };
            // https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
            const luminance = color => {
                const [r, g, b] = color.map(part => part / 255).map(part =>
                    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const ratio = (one, other) => {
                const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
                return (light + 0.05) / (dark + 0.05);
            };
            const paper = getComputedStyle(picture.closest(".hookviz")).backgroundColor;
            const backdrop = picture.querySelector(".hv-backdrop");
            const least = {};
            for (const text of picture.querySelectorAll("text")) {
                if (text.getAttribute("display") === "none" || text.textContent.trim() === "") continue;
                const card = text.closest("[data-node]");
                // A pill, the badge of a finding, a card; what stands beside an edge has nothing of its own behind it.
                const own = text.closest("[data-hooks]")?.querySelector(".hv-pill-shape")
                    ?? text.parentElement.querySelector(":scope > circle")
                    ?? card?.querySelector(":scope > .hv-shape");
                const fill = own === undefined || own === null ? "none" : getComputedStyle(own).fill;
                const behind = fill !== "none" ? fill : backdrop === null ? paper : getComputedStyle(backdrop).fill;
                const kind = `${text.getAttribute("class")} on ${card?.getAttribute("class") ?? "an edge"}`;
                const now = ratio(mixed(paper, behind, getComputedStyle(text).fill), mixed(paper, behind));
                least[kind] = Math.min(least[kind] ?? Infinity, now);
            }
            return least;
        }"""
    )
    return found
