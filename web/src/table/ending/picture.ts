/** A result as a picture: who played, who won and by how much, drawn on the spot. */
import { seatLook } from "../../ui/seats";

export interface Result {
  title: string;
  /** Who won, in words. */
  headline: string;
  rows: { seat: number; place: number; name: string; score: number }[];
  /** Where it was played. */
  footer: string;
}

const WIDTH = 1080;
const HEAD = 250;
const ROW = 96;
const FOOT = 90;
const MARGIN = 64;
const SAND = { paper: "#fbf3e4", ink: "#3b2a17", soft: "#6b4e2e", edge: "#e5c793", first: "#fce9c3" };

/** PNG. */
export async function pictureOf(result: Result): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEAD + result.rows.length * ROW + FOOT;
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error("this browser cannot draw");
  const { serif, sans, figures } = fonts();
  await document.fonts.load(`700 40px ${serif}`);
  ground(pen, canvas.height);
  pen.textBaseline = "middle";
  write(pen, result.title, MARGIN, 74, `600 34px ${sans}`, SAND.soft, WIDTH - 2 * MARGIN);
  write(pen, result.headline, MARGIN, 156, `700 68px ${serif}`, SAND.ink, WIDTH - 2 * MARGIN - 150);
  for (const [index, row] of result.rows.entries()) {
    const middle = HEAD + index * ROW + ROW / 2;
    if (row.place === 1) box(pen, MARGIN - 20, middle - ROW / 2 + 5, WIDTH - 2 * MARGIN + 40, ROW - 10, SAND.first);
    write(pen, String(row.place), MARGIN, middle, `700 40px ${figures}`, SAND.soft, 60);
    sign(pen, row.seat, MARGIN + 92, middle);
    write(pen, row.name, MARGIN + 150, middle, `600 38px ${sans}`, SAND.ink, WIDTH - 2 * MARGIN - 330);
    write(pen, String(row.score), WIDTH - MARGIN, middle, `700 48px ${figures}`, SAND.ink, 170, "right");
  }
  write(pen, result.footer, MARGIN, canvas.height - FOOT / 2, `500 28px ${sans}`, SAND.soft, WIDTH - 2 * MARGIN);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture came of it"))), "image/png");
  });
}

function fonts(): { serif: string; sans: string; figures: string } {
  const style = getComputedStyle(document.documentElement);
  const serif = style.getPropertyValue("--serif");
  // A canvas has no say in which of its figures the first font shows, and the usual ones are uneven.
  return { serif, sans: style.getPropertyValue("--sans"), figures: serif.slice(serif.indexOf(",") + 1) };
}

function ground(pen: CanvasRenderingContext2D, height: number): void {
  pen.fillStyle = SAND.paper;
  pen.fillRect(0, 0, WIDTH, height);
  pen.fillStyle = SAND.edge;
  pen.fillRect(0, HEAD - 26, WIDTH, 2);
  // The sign of the house: sun and pyramid.
  const shapes: [string, string][] = [
    ["M46 11a7 7 0 1 0 0 14a7 7 0 1 0 0-14", "#e9b64a"],
    ["M30 12 10 48l22 6z", "#f3cf86"],
    ["m30 12 2 42 20-9z", "#b67e3c"],
  ];
  pen.save();
  pen.translate(WIDTH - MARGIN - 140, 48);
  pen.scale(2.4, 2.4);
  for (const [path, color] of shapes) {
    pen.fillStyle = color;
    pen.fill(new Path2D(path));
  }
  pen.restore();
}

function sign(pen: CanvasRenderingContext2D, seat: number, x: number, y: number): void {
  const look = seatLook(seat);
  pen.fillStyle = look.color;
  pen.beginPath();
  pen.arc(x, y, 34, 0, 2 * Math.PI);
  pen.fill();
  pen.save();
  pen.translate(x - 24, y - 24);
  pen.scale(2, 2);
  pen.strokeStyle = "#fff";
  pen.lineWidth = 2;
  pen.lineCap = pen.lineJoin = "round";
  pen.stroke(new Path2D(look.sign));
  pen.restore();
}

function box(pen: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, color: string): void {
  pen.fillStyle = color;
  pen.beginPath();
  pen.roundRect(x, y, width, height, 24);
  pen.fill();
}

/** Words no wider than there is room: smaller if need be. */
function write(
  pen: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  font: string,
  color: string,
  most: number,
  align: CanvasTextAlign = "left",
): void {
  pen.fillStyle = color;
  pen.textAlign = align;
  pen.font = font;
  const wide = pen.measureText(text).width;
  if (wide > most)
    pen.font = font.replace(/(\d+)px/, (_, size: string) => `${Math.floor((Number(size) * most) / wide)}px`);
  pen.fillText(text, x, y, most);
}
