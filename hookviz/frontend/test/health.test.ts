/** What looks wrong is marked on the cards, listed above the status line, and told in the inspector. */

import { describe, expect, it } from "vitest";
import { summaryText } from "../src/health-list";
import { health, inspection, status } from "./examples";
import { frame, mount } from "./views";

const NOTHING = { findings: [], way_nodes: [], way_edges: [], note: "" };

describe("the badges", () => {
  it("stand on the cards of what looks wrong, and say why", async () => {
    const { el, texts } = await mount({ health });

    const badge = el.querySelector('[data-node="module:layer1.conv1"] > .hv-badge');

    expect(badge?.hasAttribute("data-alarm")).toBe(true);
    expect(badge?.querySelector("title")?.textContent).toBe(
      "NaN: NaN made in layer1.conv1, step 12: 3 NaN of 4,096 values; all was finite in step 11.",
    );
    expect(texts(".hv-badge > text")).toEqual(["i", "!"]);
  });

  it("go when all is well again", async () => {
    const { model, texts } = await mount({ health });

    model.set("health", NOTHING);
    await frame();

    expect(texts(".hv-badge")).toEqual([]);
  });

  it("stand on the folded container that holds the module", async () => {
    const [finding] = health.findings;
    const inside = { ...finding, node_id: "module:head.inner", module: "head.inner" } as (typeof health.findings)[0];

    const { el } = await mount({ health: { ...NOTHING, findings: [inside] } });

    expect(el.querySelector('[data-node="module:head"] > .hv-badge')).not.toBeNull();
  });

  it("count what looks wrong on one card", async () => {
    const [finding] = health.findings;
    const twice = [finding, { ...finding, symptom: "dead units" }] as typeof health.findings;

    const { texts } = await mount({ health: { ...NOTHING, findings: twice } });

    expect(texts(".hv-badge > text")).toEqual(["2"]);
  });
});

describe("the way of a NaN", () => {
  it("is marked: its cards, and the edges between them", async () => {
    const way = {
      way_nodes: ["module:conv1", "module:layer1.conv1"],
      way_edges: ["module:conv1->module:layer1.conv1"],
    };
    const { el } = await mount({ health: { ...health, ...way } });

    const marked = [...el.querySelectorAll<HTMLElement>(".hv-on-way")].map(
      ({ dataset }) => dataset.node ?? `${dataset.source}->${dataset.target}`,
    );

    expect(marked.sort()).toEqual(["module:conv1", "module:conv1->module:layer1.conv1", "module:layer1.conv1"]);
  });
});

describe("the list", () => {
  it("is not there where nothing looks wrong", async () => {
    const { one } = await mount();

    expect(one(".hv-health").hidden).toBe(true);
  });

  it("says where nothing was found from how many runs on it is judged", async () => {
    const { one, click } = await mount({
      health: { ...NOTHING, note: "Judged from 3 runs on." },
      status: { ...status, trouble: null },
    });

    await click(".hv-health-opener");

    expect(one(".hv-health-opener").textContent).toBe("nothing looks wrong so far");
    expect(one(".hv-health-popup").textContent).toBe("Judged from 3 runs on.");
  });

  it("does not say that nothing looks wrong beside what went wrong and is not judged yet", async () => {
    const { model, one } = await mount({ health: { ...NOTHING, note: "Judged from 3 runs on." } });

    expect([one(".hv-health").hidden, one(".hv-health-opener").textContent]).toEqual([true, ""]);

    model.set("status", { ...status, trouble: null });
    expect([one(".hv-health").hidden, one(".hv-health-opener").textContent]).toEqual([
      false,
      "nothing looks wrong so far",
    ]);
  });

  it("opens from the status line, with a sentence for each", async () => {
    const { one, texts, click } = await mount({ health });

    await click(".hv-health-opener");

    expect(one(".hv-health-opener").textContent).toBe("1 thing looks wrong · 1 note");
    expect(one(".hv-health-popup").hidden).toBe(false);
    expect(texts(".hv-health-list b")).toEqual(["NaN", "frozen on purpose"]);
    expect(texts(".hv-health-sentence")).toEqual(health.findings.map(({ sentence }) => sentence));
    expect(document.activeElement?.textContent).toContain("NaN made in layer1.conv1");
  });

  it("leads to the card", async () => {
    const { model, one, click } = await mount({ health });
    await click(".hv-health-opener");

    await click('.hv-health-list button[data-number="0"]');

    expect(model.get("selected")).toBe("module:layer1.conv1");
    expect(one(".hv-health-popup").hidden).toBe(true);
  });

  it("asks Python to unfold what hides the card", async () => {
    const [finding] = health.findings;
    const inside = { ...finding, node_id: "module:head.inner", module: "head.inner" } as (typeof health.findings)[0];
    const { model, click } = await mount({ health: { ...NOTHING, findings: [inside] } });
    await click(".hv-health-opener");

    await click('.hv-health-list button[data-number="0"]');

    expect(model.commands("reveal").map(({ path }) => path)).toEqual(["head.inner"]);
  });

  it("is gone through by arrows and closed by Escape", async () => {
    const { one, click, press } = await mount({ health });
    await click(".hv-health-opener");

    await press("ArrowDown");
    expect(document.activeElement?.textContent).toContain("frozen on purpose");
    await press("Escape");

    expect(one(".hv-health-popup").hidden).toBe(true);
    expect(document.activeElement).toBe(one(".hv-health-opener"));
  });
});

describe("the inspector", () => {
  it("tells what looks wrong with the module that is selected", async () => {
    const { model, texts } = await mount({ health, selected: "module:layer1.conv1" });
    await model.answer("inspect", { ...inspection, node_id: "module:layer1.conv1" });
    await frame();

    expect(texts(".hv-health-notes > li")).toEqual([
      "NaN made in layer1.conv1, step 12: 3 NaN of 4,096 values; all was finite in step 11.",
    ]);
  });
});

describe("the summary", () => {
  it.each([
    [1, 0, "1 thing looks wrong"],
    [3, 0, "3 things look wrong"],
    [0, 1, "1 note"],
    [2, 2, "2 things look wrong · 2 notes"],
  ])("of %i alarms and %i notes is %s", (alarms, notes, text) => {
    expect(summaryText(alarms, notes)).toBe(text);
  });
});
