/** A small picture as `hookviz/diagram/svg.py` writes it: a card, a folded container in a group, an operation. */

const LIVE = `
  <text class="hv-spark" data-slot="spark">▁▁▁▁▁▁▁▁</text><text class="hv-value" data-slot="value"> </text>
  <text class="hv-gradient" data-slot="gradient"> </text>`;

const CARD = (id: string, kinds: string, title: string, fold = "") => `
<g class="${kinds}" data-node="${id}" data-state="idle"><title>${title}</title>
  <rect class="hv-shape" width="190" height="70"/>${fold}
  <text class="hv-name" data-slot="name">${title}</text>
  <text class="hv-detail" data-slot="detail" data-under="trouble">16→16</text>
  <text class="hv-trouble" data-slot="trouble"/>${LIVE}</g>`;

const MARK = (sign: string) => `<text class="hv-fold" data-slot="fold" x="10" y="20">${sign}</text>`;

export const SVG = `<svg xmlns="http://www.w3.org/2000/svg" class="hv-diagram" width="300" height="400" viewBox="0 0 300 400">
<g class="hv-edge" data-source="input:x" data-target="module:conv1"><path class="hv-line" d="M0,0"/></g>
<g class="hv-edge" data-source="module:conv1" data-target="module:layer1.conv1"><path class="hv-line" d="M0,0"/></g>
${CARD("module:layer1", "hv-group", "layer1", MARK("▼"))}
<g class="hv-node hv-input" data-node="input:x" data-state="idle"><title>x</title><rect class="hv-shape"/></g>
${CARD("module:conv1", "hv-node hv-module", "conv1")}
${CARD("module:layer1.conv1", "hv-node hv-module", "layer1.conv1")}
${CARD("module:head", "hv-node hv-module hv-foldable", "head", MARK("►"))}
</svg>`;
