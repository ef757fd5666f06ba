"use strict";
(() => {
  const main = document.getElementById("main");

  // What changes in a page, and its markup as it came.
  const parts = new Map(["today", "trends", "status", "year"]
    .map(id => [id, document.getElementById(id)?.innerHTML]).filter(([, text]) => text != null));

  // --- Charts, read out by pointer, tap and arrow keys from the table beside them.

  const draw = (chart, name) =>
    chart.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name));

  for (const box of document.querySelectorAll(".readable")) {
    const chart = box.querySelector(".chart");
    const table = box.querySelector("[data-places]") ?? document.querySelector("[data-places]");
    const rows = [...table?.querySelectorAll("[data-place]") ?? []]
      .sort((a, b) => a.dataset.place - b.dataset.place);
    if (!chart || !rows.length) continue;
    const count = Number(table.dataset.places);
    const names = [...table.querySelectorAll("thead th")].map(item => item.textContent);
    const told = box.insertBefore(document.createElement("p"), chart);
    told.className = "readout";
    const cursor = draw(chart, "line");
    cursor.setAttribute("class", "cursor");
    let at = rows.length - 1;
    const show = place => {
      rows[at].classList.remove("read");
      at = Math.max(0, Math.min(rows.length - 1, place));
      const row = rows[at];
      row.classList.add("read");
      const x = `${(Number(row.dataset.place) + 0.5) / count * 100}%`;
      for (const [name, value] of [["x1", x], ["x2", x], ["y1", "0"], ["y2", "100%"]]) {
        cursor.setAttribute(name, value);
      }
      const cells = [...row.cells].map(item => item.textContent);
      const name = place => cells.length > 2 ? `${names[place].replace(/ \(.*/, "")} ` : "";
      const words = cells.map((text, place) => place ? name(place) + text : text);
      const unit = table.dataset.unit ?? "";
      told.textContent = words.join(", ").replace(/ so far$|$/, end => ` ${unit}${end}`);
      chart.setAttribute("aria-valuenow", at);
      chart.setAttribute("aria-valuetext", told.textContent);
    };
    const point = event => {
      const area = chart.getBoundingClientRect();
      const place = (event.clientX - area.left) / area.width * count - 0.5;
      let best = 0;
      rows.forEach((row, index) => {
        const far = item => Math.abs(item.dataset.place - place);
        if (far(row) < far(rows[best])) best = index;
      });
      show(best);
    };
    chart.addEventListener("pointermove", point);
    chart.addEventListener("pointerdown", point);
    chart.addEventListener("keydown", event => {
      const steps = {ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1,
        ArrowUp: at + 1, PageDown: at - 7, PageUp: at + 7, Home: 0, End: rows.length - 1};
      if (event.key in steps) {
        event.preventDefault();
        show(steps[event.key]);
      } else if (event.key === "Enter") {
        rows[at].querySelector("a")?.click();
      }
    });
    for (const [name, value] of [["role", "slider"], ["tabindex", "0"],
      ["aria-valuemin", "0"], ["aria-valuemax", rows.length - 1]]) {
      chart.setAttribute(name, value);
    }
    show(at);
  }

  // --- Moments as ages, and the address of this server.

  const ages = [[86_400, "day"], [3_600, "hour"], [60, "minute"]];
  const words = new Intl.RelativeTimeFormat("en", {numeric: "always"});
  const age = () => {
    for (const item of document.querySelectorAll("time")) {
      const moment = new Date(item.dateTime);
      const seconds = (Date.now() - moment) / 1000;
      const [unit, name] = ages.find(([unit]) => seconds >= unit) ?? [0, ""];
      item.textContent = name ? words.format(-Math.floor(seconds / unit), name) : "just now";
      item.title = moment.toLocaleString();
    }
    for (const item of document.querySelectorAll(".origin")) {
      item.textContent = location.origin;
    }
  };
  age();
  if (!main.dataset.events) return;

  const sign = document.getElementById("live");
  const word = document.getElementById("live-word");
  const news = document.getElementById("news");
  const silence = 50_000, longest = 30_000;
  let last = main.dataset.last;
  let source = null, heard = 0, failures = 0, retry = 0, countdown = 0, due = 0;

  // --- What changes in the page.

  const replace = (id, nodes) => {
    const box = document.getElementById(id);
    const open = [...box.querySelectorAll("details[open]")].map(item => item.id);
    const active = box.contains(document.activeElement) ? document.activeElement : null;
    box.replaceChildren(...nodes);
    for (const name of open) {
      const item = name && document.getElementById(name);
      if (item) item.open = true;
    }
    const same = item => active.id ? item.id === active.id
      : item.getAttribute("href") === active.getAttribute("href");
    if (active) [...box.querySelectorAll("a, summary, [tabindex]")].find(same)?.focus();
  };

  const figures = () => {
    const all = new Map();
    for (const card of document.querySelectorAll("#today .figure")) {
      // The list of what else there is has no title, and is not announced.
      const title = card.querySelector("h3")?.textContent;
      if (title) all.set(title, [card, card.querySelector(".last")?.textContent ?? ""]);
    }
    return all;
  };

  let announced = 0;
  let waiting = 0;
  const unheard = new Map();
  const announce = () => {
    [announced, waiting] = [Date.now(), 0];
    news.textContent = [...unheard].slice(0, 3).map(([title, text]) => `${title} ${text}`)
      .join(", ");
    unheard.clear();
  };

  const put = page => {
    const before = figures();
    for (const [id, text] of parts) {
      const part = page.getElementById(id);
      if (!part || part.innerHTML === text) continue;
      parts.set(id, part.innerHTML);
      replace(id, [...part.childNodes]);
    }
    age();
    for (const [title, [card, text]] of figures()) {
      if (before.get(title)?.[1] === text) continue;
      card.classList.add("changed");
      if (card.querySelector(".last .none")) continue;
      unheard.set(title, text);
    }
    // A screen reader hears of changes once a minute at most, and then of the newest.
    if (unheard.size && !waiting) {
      waiting = setTimeout(announce, Math.max(0, announced + 60_000 - Date.now()));
    }
  };

  // Pages do not ask all at once, and one asks once at a time.
  let asked = 0, reads = false, again = false;
  const changed = () => {
    if (reads) again = true;
    else asked ||= setTimeout(read, Math.random() * 1000);
  };
  const read = async () => {
    [asked, reads, again] = [0, true, false];
    try {
      const answer = await fetch(location.pathname + location.search, {redirect: "manual"});
      if (answer.ok) put(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // The stream says what is wrong with the connection.
    }
    reads = false;
    if (again) changed();
  };

  // --- The stream.

  const show = (kind, text) => {
    sign.className = `live ${kind}`;
    if (word.textContent !== text) word.textContent = text;
  };

  const take = (kind, handle) => source.addEventListener(kind, event => {
    heard = Date.now();
    if (event.lastEventId) last = event.lastEventId;
    handle();
  });

  const connect = () => {
    clearTimeout(retry);
    clearInterval(countdown);
    source?.close();
    source = new EventSource(`${main.dataset.events}?after=${encodeURIComponent(last)}`);
    heard = Date.now();
    source.onopen = () => { heard = Date.now(); };
    source.onerror = () => lost();
    take("hello", () => { failures = 0; show("on", "LIVE"); });
    take("changed", changed);
    take("beat", () => {});
  };

  // Whether it was the session that ended, and not the connection.
  const checkSession = async () => {
    try {
      const answer = await fetch(location.pathname, {method: "HEAD", redirect: "manual"});
      if (answer.type === "opaqueredirect") location.reload();
    } catch {
      // The server is away.
    }
  };

  const lost = () => {
    source.close();
    clearTimeout(retry);
    clearInterval(countdown);
    failures += 1;
    const most = Math.min(longest, 1000 * 2 ** Math.min(failures - 1, 10));
    const pause = most / 2 + Math.random() * most / 2;
    due = Date.now() + pause;
    show("lost", "Connection lost. These figures may be old.");
    if (failures > 1) checkSession();
    retry = setTimeout(connect, pause);
  };

  setInterval(() => {
    age();
    if (source.readyState !== EventSource.CLOSED && Date.now() - heard > silence) lost();
  }, 10_000);

  // A page that comes back from sleep or from another tab does not wait.
  const wake = () => {
    if (!document.hidden && source.readyState === EventSource.CLOSED && due > Date.now()) {
      connect();
    }
  };
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", event => { if (event.persisted) connect(); });

  // --- Sync now, without leaving the page.

  const sync = document.getElementById("sync");
  sync.addEventListener("submit", async event => {
    event.preventDefault();
    const button = sync.querySelector("button");
    button.disabled = true;
    try {
      const answer = await fetch(sync.action, {
        method: "POST", body: new URLSearchParams(new FormData(sync)), redirect: "manual",
      });
      news.textContent = answer.type === "opaqueredirect" ? "Sync has begun" : "Sync failed";
      button.textContent = answer.type === "opaqueredirect" ? "Syncing" : "Sync failed";
    } catch {
      news.textContent = button.textContent = "Sync failed";
    }
    setTimeout(() => { button.disabled = false; button.textContent = "Sync now"; }, 5000);
  });

  connect();
})();
