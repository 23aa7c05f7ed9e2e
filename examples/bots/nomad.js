// A bot for Camel Up in JavaScript, without packages: serai check-bot "process:node nomad.js"
//
// It plays the rest of the leg many times and takes the leg tile that pays best, if it pays more than a roll. When one
// camel is far ahead it also lays its race card. It answers with action numbers instead of notation.
"use strict";

const readline = require("node:readline");

const PLAYOUTS = 300;
const CAMELS = ["blue", "green", "orange", "yellow", "white"];
const LEG_TILES = [5, 3, 2];
const FAR = 14; // the space from which a leader has all but won
const SURE = 0.85;

function decide({ actions, numbers, view, random }) {
  const draw = generator(random);
  const first = [0, 0, 0, 0, 0];
  const second = [0, 0, 0, 0, 0];
  let furthest = 0;
  for (let playout = 0; playout < PLAYOUTS; playout++) {
    const { order, space } = playLeg(view, draw);
    first[order.at(-1)]++;
    second[order.at(-2)]++;
    furthest += space / PLAYOUTS;
  }
  let best = "roll";
  let most = 1; // what a roll pays
  CAMELS.forEach((name, camel) => {
    const wins = first[camel] / PLAYOUTS;
    const places = second[camel] / PLAYOUTS;
    const pays = LEG_TILES[view.leg_bets[camel].length] * wins + places - (1 - wins - places);
    if (actions.includes(`leg ${name}`) && pays > most) [best, most] = [`leg ${name}`, pays];
    const card = `winner ${name}`;
    if (actions.includes(card) && wins > SURE && furthest > FAR && most < 3) [best, most] = [card, 3];
  });
  return { number: numbers[actions.indexOf(best)] };
}

/** All camels from the last to the first when every die has been rolled once, and how far the first one came. */
function playLeg(view, draw) {
  const track = view.track.map((stack) => [...stack]);
  const push = new Map(view.deserts.filter(Boolean).map((tile) => [Math.abs(tile), Math.sign(tile)]));
  const left = [0, 1, 2, 3, 4].filter((camel) => view.tents[camel] === 0);
  while (left.length) {
    const [camel] = left.splice(draw(left.length), 1);
    const space = track.findIndex((stack) => stack.includes(camel));
    const unit = track[space].splice(track[space].indexOf(camel));
    const landing = space + 1 + draw(3);
    const pushed = push.get(landing) ?? 0;
    const target = landing + pushed;
    track[target] = pushed < 0 ? [...unit, ...track[target]] : [...track[target], ...unit];
    if (target > 16) break;
  }
  return { order: track.flat(), space: track.findLastIndex((stack) => stack.length > 0) };
}

/** Whole numbers below a limit, always the same for one seed (a linear congruential generator). */
function generator(seed) {
  let state = BigInt(seed);
  return (limit) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(limit));
  };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    console.log(JSON.stringify({ type: "hello", protocol: 1, name: "Nomad", games: ["camelup"] }));
  } else if (message.type === "decide") {
    console.log(JSON.stringify(decide(message)));
  }
});
