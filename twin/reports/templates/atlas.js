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
  const unpacked = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  };
  const start = async () => {
    const arrays = {1: Uint8Array, 2: Uint16Array, 4: Uint32Array};
    const keys = new Uint8Array(await unpacked(data.keys));
    const counts = new arrays[data.bytes](await unpacked(data.counts));
    const boxes = [...form.querySelectorAll("select")];
    const wide = 3 * data.sliders.length + 1, cells = data.fates.length * data.spaces.length;
    const show = () => {
      const want = boxes.filter((box) => box.value !== "").map((box) => [Number(box.name), Number(box.value)]);
      if (!data.whole) {  // a row tells of one slider: of the chosen one, else of the first
        const slider = want.find(([place]) => place < wide - 1);
        want.push([3 * Math.floor((slider ? slider[0] : 0) / 3), -1]);
      }
      const sum = new Float64Array(cells);
      for (let row = 0; row < data.rows; row++) {
        const fits = ([place, value]) => {
          const own = keys[row * wide + place];
          return value < 0 ? own > 0 : own === value;
        };
        if (want.every(fits)) for (let k = 0; k < cells; k++) sum[k] += counts[row * cells + k];
      }
      const sums = data.fates.map((_, f) => [...sum.slice(f * data.spaces.length, (f + 1) * data.spaces.length)]);
      const starts = data.spaces.map((_, s) => sums.reduce((all, own) => all + own[s], 0));
      const every = starts.reduce((a, b) => a + b, 0);
      data.fates.forEach((fate, f) => {
        const total = sums[f].reduce((a, b) => a + b, 0);
        const head = document.getElementById("total-" + fate);
        head.textContent = every ? (100 * total / every).toFixed(1) + " %" : "–";
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
      const told = data.sliders.map((name, k) => {
        const own = boxes.filter((box) => box.value !== "" && Math.floor(box.name / 3) === k && box.name < wide - 1);
        return own.length ? `${name} ${own.map((box) => box.selectedOptions[0].textContent).join(", ")}` : "";
      }).filter(Boolean);
      const way = boxes[boxes.length - 1];
      if (way.value !== "") told.push(`turns ${way.selectedOptions[0].textContent}`);
      const number = every ? `${every.toLocaleString("en")} ghosts.` : "no turn of this atlas.";
      document.getElementById("chosen").textContent = `${told.join(" · ") || "All turns"}: ${number}`;
    };
    form.addEventListener("change", (event) => {
      const here = Math.floor(event.target.name / 3);
      if (!data.whole && event.target.name < wide - 1) {
        for (const box of boxes) if (box.name < wide - 1 && Math.floor(box.name / 3) !== here) box.value = "";
      }
      show();
    });
    form.addEventListener("reset", () => setTimeout(show));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
  };
  if (window.DecompressionStream) start();
})();
