"""What is measured in every page of the project that a browser opens: scripts to be evaluated there."""

import faulthandler

# A browser that hangs is waited for without a limit by some calls: say where, and end.
faulthandler.dump_traceback_later(560, exit=True)

CONTRAST = """() => {
  const channels = text => text.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = channels(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
      if (colour[3] !== 0) throw new Error("a half transparent background");
    }
    throw new Error("no background");
  };
  let least = {ratio: 99, text: ""};
  const measure = (element, colour) => {
    const [a, b] = [luminance(channels(colour)), luminance(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least.ratio) least = {ratio, text: (element.textContent || "").slice(0, 40)};
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || element.localName === "title") continue;
    const style = getComputedStyle(element);
    measure(element, element.namespaceURI.includes("svg") ? style.fill : style.color);
  }
  let marks = 99;
  for (const mark of document.querySelectorAll(".legend path")) {
    const [a, b] = [luminance(channels(getComputedStyle(mark).fill)), luminance(behind(mark))];
    marks = Math.min(marks, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return {...least, marks};
}"""

WIDER = """() => {
  const width = document.documentElement.clientWidth;
  const inScroll = e => e.closest(".scroll") !== null;
  const out = [...document.querySelectorAll("body *")].filter(e => !inScroll(e)
    && !e.closest("svg") && e.getBoundingClientRect().right > width + 0.5);
  return {by: document.documentElement.scrollWidth - width,
          elements: out.slice(0, 5).map(e => e.outerHTML.slice(0, 120))};
}"""
