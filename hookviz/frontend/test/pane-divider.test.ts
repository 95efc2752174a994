import { expect, test, vi } from "vitest";
import { mount } from "./views";

test("arrows make the hooks wider and narrower, and a double click gives the old width back", async () => {
  const { one, press } = await mount({ view: "all" });
  const divider = one("[role=separator]");
  const width = () => one(".hv-panes").style.getPropertyValue("--hv-hooks-width");
  measure(one(".hv-switches-pane"), 280);
  divider.focus();

  await press("ArrowRight");
  expect(width()).toBe("296px");
  expect(divider.getAttribute("aria-valuenow")).toBe("296");
  await press("Home");
  expect(width()).toBe("200px");
  await press("End");
  expect(width()).toBe("560px");

  divider.dispatchEvent(new MouseEvent("dblclick"));
  expect(width()).toBe("");
});

test("the divider follows a pressed pointer, and only that", async () => {
  const { one } = await mount({ view: "all" });
  const divider = one("[role=separator]");
  divider.setPointerCapture = () => {};
  measure(one(".hv-switches-pane"), 280);
  const width = () => one(".hv-panes").style.getPropertyValue("--hv-hooks-width");
  const point = (type: string, clientX: number) => divider.dispatchEvent(new MouseEvent(type, { clientX }));

  point("pointermove", 400);
  expect(width()).toBe("");
  point("pointerdown", 280);
  point("pointermove", 330);
  expect(width()).toBe("330px");
  point("pointerup", 330);
  point("pointermove", 400);
  expect(width()).toBe("330px");
});

function measure(pane: HTMLElement, width: number): void {
  vi.spyOn(pane, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, width, 500));
}
