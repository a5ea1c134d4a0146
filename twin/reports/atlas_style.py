"""Looks and behaviour of the page of an atlas."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
.maps { display: flex; flex-wrap: wrap; gap: 1.5rem; }
figure { margin: 0; width: 19rem; } figcaption { min-height: 3.2rem; } small { color: #555; }
svg { width: 100%; height: auto; display: block; }
svg rect { stroke: #c4ced8; stroke-width: 1; }
svg text { font: 13px system-ui, sans-serif; text-anchor: middle; pointer-events: none; }
svg text.name { fill: #555; }
.controls { margin: 1rem 0; display: flex; flex-wrap: wrap; gap: .8rem; align-items: baseline; }
select { font: inherit; padding: .1rem .3rem; }
.legend span { display: inline-block; padding: 0 .6rem; font-size: .85rem; border: 1px solid #ddd; }
table { border-collapse: collapse; } th { text-align: left; font-weight: 600; padding-right: 1.5rem; }
td, th { vertical-align: top; padding-top: .2rem; }
"""

SCRIPT: Final = """
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const form = document.querySelector("form.controls");
  const rgb = (c) => [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16));
  const colour = (share) => {
    const at = Math.sqrt(share) * (data.ramp.length - 1), low = Math.min(Math.floor(at), data.ramp.length - 2);
    const a = rgb(data.ramp[low]), b = rgb(data.ramp[low + 1]);
    return "rgb(" + a.map((v, k) => Math.round(v + (b[k] - v) * (at - low))).join(",") + ")";
  };
  const percent = (share) => share <= 0 ? "" : share < 0.01 ? "<1"
    : String(share >= 1 ? 100 : Math.min(Math.floor(100 * share + 0.5), 99));
  const chosen = (name) => form.elements[name] ? form.elements[name].value : "";
  const show = () => {
    const want = ["slider", "tunnel", "offset", "flipped", "direction"].map(chosen);
    const sums = data.fates.map(() => data.spaces.map(() => 0));
    for (const row of data.rows) {
      if (want.some((value, k) => value !== "" && value !== String(row[k]))) continue;
      row[5].forEach((counts, f) => { if (counts) counts.forEach((n, s) => { sums[f][s] += n; }); });
    }
    const starts = data.spaces.map((_, s) => sums.reduce((sum, own) => sum + own[s], 0));
    const every = starts.reduce((a, b) => a + b, 0);
    data.fates.forEach((fate, f) => {
      const total = sums[f].reduce((a, b) => a + b, 0);
      const head = document.getElementById("total-" + fate);
      head.textContent = every ? (100 * total / every).toFixed(1) + " %" : "no turns";
      data.spaces.forEach((space, s) => {
        const cell = document.querySelector(`svg[data-map="${fate}"] g[data-space="${space}"]`);
        const share = starts[s] ? sums[f][s] / starts[s] : 0;
        const [title, rect, text] = cell.children;
        title.textContent = `${space}: ${fate} ${sums[f][s].toLocaleString("en")} of ` +
          `${starts[s].toLocaleString("en")} (${(100 * share).toFixed(1)} %)`;
        rect.setAttribute("fill", colour(share));
        text.setAttribute("fill", share > 0.3 ? "#fff" : "#222");
        text.textContent = percent(share);
      });
    });
    const told = [...form.elements].map((box) => box.selectedOptions[0].textContent).join(", ");
    document.getElementById("chosen").textContent = `Slider ${told}: ${every.toLocaleString("en")} ghosts.`;
  };
  form.addEventListener("change", show);
  form.addEventListener("submit", (event) => event.preventDefault());
})();
"""
