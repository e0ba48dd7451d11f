// Writes, as JSON into the page, what the browser made of each section.
"use strict";

function channels(colour) {
  const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
  return { rgb: [red, green, blue], alpha };
}

function over(colour, alpha, ground) {
  return colour.map((value, place) => value * alpha + ground[place] * (1 - alpha));
}

// WCAG 2.2, "relative luminance" and "contrast ratio".
function luminance(rgb) {
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const ground = channels(getComputedStyle(document.body).backgroundColor).rgb;

function opacity(element) {
  return element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
}

function seen(element, colour) {
  const { rgb, alpha } = channels(colour);
  return contrast(over(rgb, alpha * opacity(element), ground), ground);
}

function texts(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim()) found.push(walker.currentNode);
  return found;
}

function lines(cells) {
  return cells.map((cell) => cell.innerText);
}

function measured(section) {
  const squares = [...section.querySelectorAll("[role=img] > span")];
  const filled = squares.filter((each) => channels(getComputedStyle(each).backgroundColor).alpha);
  const hollow = squares.filter((each) => !filled.includes(each));
  const columns = [...section.querySelectorAll("th[scope=col]")];
  const rows = [...section.querySelectorAll("th[scope=row]")];
  const stripes = [...section.querySelectorAll("div")].filter(
    (each) => getComputedStyle(each).borderLeftStyle === "solid",
  );
  const all = [...section.querySelectorAll("*")];
  return {
    tags: [...new Set(all.map((each) => each.localName))].sort(),
    handlers: all.flatMap((each) => each.getAttributeNames()).filter((name) => name.startsWith("on")),
    columns: lines(columns),
    rows: lines(rows),
    titles: rows.map((each) => each.title),
    texts: texts(section).map((each) => each.data),
    faintest: Math.min(...texts(section).map((each) => seen(each.parentElement, getComputedStyle(each.parentElement).color))),
    lefts: columns.map((each) => each.getBoundingClientRect().left),
    tops: rows.map((each) => each.getBoundingClientRect().top),
    filled: filled.map((each) => seen(each, getComputedStyle(each).backgroundColor)),
    hollow: hollow.map((each) => seen(each, getComputedStyle(each).borderTopColor)),
    stripes: stripes.map((each) => seen(each, getComputedStyle(each).borderLeftColor)),
    colours: stripes.map((each) => getComputedStyle(each).borderLeftColor),
    sizes: squares.map((each) => each.getBoundingClientRect()).map(({ width, height }) => [width, height]),
    isWider: section.scrollWidth > section.clientWidth,
  };
}

const sections = [...document.querySelectorAll("section")];
const report = Object.fromEntries(sections.map((each) => [each.dataset.name, measured(each)]));
report[""] = { hacked: window.hacked ?? null, isWider: document.documentElement.scrollWidth > innerWidth };
const told = document.createElement("pre");
told.id = "measured";
told.textContent = JSON.stringify(report);
document.body.append(told);
