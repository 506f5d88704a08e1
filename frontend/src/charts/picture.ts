// A chart as a picture to keep: title, words and colours above the drawing, on white, whatever the page's theme.
import type { Chart } from "../api/types";
import { paintedOn } from "./draw";
import type { Spec } from "./specs";

const INK = "#1d2126";
const SOFT = "#59616b";
const PAPER = "#ffffff";
const SCALE = 2;
const WIDTH = 880;
const MARGIN = 28;

export async function pictureOf(chart: Chart, config: Spec): Promise<Blob> {
  const font = getComputedStyle(document.body).fontFamily;
  const drawing = await paintedOn(chart.spec, config, { ink: INK, paper: PAPER, font, width: WIDTH, scale: SCALE });
  const width = Math.max(WIDTH, drawing.width / SCALE) + 2 * MARGIN;
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d")!;
  const serif = getComputedStyle(document.documentElement).getPropertyValue("--serif");
  const title = `600 20px ${serif}`;
  const words = `13px ${font}`;
  const room = width - 2 * MARGIN;
  const head = wrapped(pen, chart.title, title, room);
  const sub = wrapped(pen, chart.subtitle, words, room);
  const keys = keyLines(pen, chart.key, words, room);
  const top = MARGIN + head.length * 26 + sub.length * 19 + keys.length * 22 + 14;
  canvas.width = width * SCALE;
  canvas.height = (top + drawing.height / SCALE + MARGIN) * SCALE;
  pen.scale(SCALE, SCALE);
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, width, canvas.height);
  pen.textBaseline = "top";
  let y = MARGIN;
  const write = (lines: string[], style: string, colour: string, step: number): void => {
    [pen.font, pen.fillStyle] = [style, colour];
    for (const line of lines) (pen.fillText(line, MARGIN, y), (y += step));
  };
  write(head, title, INK, 26);
  write(sub, words, SOFT, 19);
  pen.font = words;
  for (const line of keys) {
    for (const { x, text, colour } of line) {
      pen.fillStyle = colour;
      pen.fillRect(MARGIN + x, y + 6, 11, 11);
      pen.fillStyle = INK;
      pen.fillText(text, MARGIN + x + 17, y + 5);
    }
    y += 22;
  }
  pen.drawImage(drawing, MARGIN, top, drawing.width / SCALE, drawing.height / SCALE);
  return new Promise((made, failed) => canvas.toBlob((blob) => (blob ? made(blob) : failed(new Error("it is too large"))), "image/png"));
}

/** A text in lines that are no wider than the room. */
function wrapped(pen: CanvasRenderingContext2D, text: string, font: string, room: number): string[] {
  pen.font = font;
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen.measureText(longer).width <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The colours and what they stand for, in lines. */
function keyLines(pen: CanvasRenderingContext2D, key: Chart["key"], font: string, room: number): { x: number; text: string; colour: string }[][] {
  pen.font = font;
  const lines: { x: number; text: string; colour: string }[][] = [];
  let x = room;
  for (const { text, colour } of key) {
    const wide = 17 + pen.measureText(text).width + 18;
    if (x + wide > room) (lines.push([]), (x = 0));
    lines.at(-1)!.push({ x, text, colour });
    x += wide;
  }
  return lines;
}
