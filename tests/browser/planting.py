"""Faults planted into the page: one thing on it is wired past the clock, to what the server said last or to what was.

The clock tells everything else of a new moment in one place. There the moment is changed, in the script as it comes
from the server, before anybody hears of it.
"""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page

import serai

ASSETS = Path(serai.__file__).parent / "web" / "assets"
PUBLISH = "publish(){"
"""Where the clock's method begins, in the built script too: names of methods are kept."""
PLANTED = """publish(){
    Object.create(this, { changed: { value: (moment) => this.changed(planted(this, moment)) } }).published();
}
published(){"""

PLANT = """(({ what, late, parts }) => {
    const odds = new Map();
    const frames = [];
    let now = null;
    let before = null;
    const plain = { back: false, note: null, drawn: null, scores: [] };
    const entry = ({ n, by = null, events = [] }) => ({ ...plain, n, by, events });
    const wrong = {
        board: (moment, { staging }, other) => ({ scene: staging.sceneOf(other.view) }),
        part: ({ scene }, _, other) => {
            const taken = Object.fromEntries(parts.map((part) => [part, other.view[part]]));
            return { scene: { ...scene, view: { ...scene.view, ...taken } } };
        },
        turn: (moment, _, other) => ({ actor: other.view.actor }),
        odds: (moment, _, other) => ({ odds: odds.get(other.on) ?? null }),
        offers: ({ state }, _, other) => ({ state: { ...state, actions: other.actions } }),
        over: ({ state }, _, other) => ({ state: { ...state, table: other.table } }),
        story: ({ log }, _, other, coming) => ({ log: late ? log.slice(0, -1) : [...log, ...coming.map(entry)] }),
        ribbon: ({ log, telling }, { playing }, other, coming) => {
            // The whole of what has only begun to be shown is told too soon as well.
            const told = late ? log.at(-2) : coming.length > 0 ? entry(coming[0]) : telling;
            return { telling: told ?? null };
        },
        sounds: ({ scene }, { staging }, other, coming) => {
            const heard = [];
            let last = scene;
            for (const event of (late ? frames.at(-2) : coming.at(-1))?.events ?? []) {
                for (const step of staging.steps(last, event)) {
                    last = step.scene;
                    if (last.sound !== null) heard.push(last.sound);
                }
            }
            return { scene: { ...scene, sound: heard.at(late ? 0 : -1) ?? scene.sound } };
        },
    };
    window.planted = (showing, moment) => {
        const { known, playing, waiting } = showing;
        if (moment.scene === null) return moment;
        if (now?.on !== known.on) [before, now] = [now ?? known, known];
        for (const [on, told] of showing.odds) odds.set(on, told);
        const said = [playing, ...waiting].filter((one) => one !== null);
        if (playing?.frame && frames.at(-1) !== playing.frame) frames.push(playing.frame);
        const other = late ? before : said.reduce((last, one) => one.then(last), known);
        const coming = said.flatMap((one) => (one.frame === null ? [] : [one.frame]));
        return what === null ? moment : { ...moment, ...wrong[what](moment, showing, other, coming) };
    };
})"""


def plant(page: Page, what: str | None, *, late: bool = False, parts: tuple[str, ...] = ()) -> None:
    """Wire one thing past the clock, or nothing."""
    page.add_init_script(f"{PLANT}({json.dumps({'what': what, 'late': late, 'parts': parts})})")
    (clock,) = (script for script in ASSETS.glob("*.js") if PUBLISH in script.read_text())
    changed = clock.read_text().replace(PUBLISH, PLANTED)
    page.route(f"**/assets/{clock.name}", lambda route: route.fulfill(body=changed, content_type="text/javascript"))
