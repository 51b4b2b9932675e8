// Reads the data of the page and builds it; says when it is there.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.querySelector("main");
  PAGES[data.page](data, root);
  requestAnimationFrame(() => setTimeout(() => {
    document.documentElement.dataset.ready = String(Math.round(performance.now())); // since navigation began
  }));
})();
