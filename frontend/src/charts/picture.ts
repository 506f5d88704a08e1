// A chart as an image, PNG or SVG. The title, the texts and the legend are above the drawing, and the source is below
// it. The background is always white.
import type { Chart } from "../api/types";
import { canvasOf, svgOf } from "./draw";
import type { Spec } from "./specs";

const INK = "#1d2126";
const SOFT = "#59616b";
const PAPER = "#ffffff";
const SCALE = 2;
const WIDTH = 880;
const MARGIN = 28;
const TITLE = { size: 20, step: 26 };
const WORDS = { size: 13, step: 19 };
const KEY = 22;
const SOURCE = { size: 11, step: 16 };

/** The source of an image's figures and the date. */
export function sourceLine(chart: Pick<Chart, "source">, now: Date = new Date()): string {
  const day = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}-${String(now.getDate()).padStart(2, "0")}`;
  return [chart.source, day].filter(Boolean).join(" · ");
}

interface Line {
  text: string;
  x: number;
  y: number;
  font: string;
  size: number;
  bold: boolean;
  colour: string;
}

interface Layout {
  width: number;
  height: number;
  top: number;
  lines: Line[];
  swatches: { x: number; y: number; colour: string }[];
}

/** The layout around a drawing of this size. */
function layOut(chart: Chart, drawing: { width: number; height: number }): Layout {
  const pen = document.createElement("canvas").getContext("2d")!;
  const width = Math.max(WIDTH, drawing.width) + 2 * MARGIN;
  const room = width - 2 * MARGIN;
  const sans = getComputedStyle(document.body).fontFamily;
  const serif = getComputedStyle(document.documentElement).getPropertyValue("--serif").trim();
  const lines: Line[] = [];
  const swatches: Layout["swatches"] = [];
  let y = MARGIN;
  const write = (text: string, font: string, { size, step }: { size: number; step: number }, colour: string, bold = false): void => {
    pen.font = `${bold ? "600 " : ""}${size}px ${font}`;
    for (const line of wrapText(pen, text, room)) (lines.push({ text: line, x: MARGIN, y, font, size, bold, colour }), (y += step));
  };
  write(chart.title, serif, TITLE, INK, true);
  write(chart.subtitle, sans, WORDS, SOFT);
  pen.font = `${WORDS.size}px ${sans}`;
  for (const line of keyLines(pen, chart.key, room)) {
    for (const { x, text, colour } of line) {
      swatches.push({ x: MARGIN + x, y: y + 6, colour });
      lines.push({ text, x: MARGIN + x + 17, y: y + 5, font: sans, size: WORDS.size, bold: false, colour: INK });
    }
    y += KEY;
  }
  const top = y + 14;
  y = top + drawing.height + 10;
  write(sourceLine(chart), sans, SOURCE, SOFT);
  return { width, height: y + MARGIN - 8, top, lines, swatches };
}

const look = () => ({ ink: INK, paper: PAPER, font: getComputedStyle(document.body).fontFamily, width: WIDTH, scale: SCALE });

export async function pictureOf(chart: Chart, config: Spec): Promise<Blob> {
  const drawing = await canvasOf(chart.spec, config, look());
  const [wide, high] = [drawing.width / SCALE, drawing.height / SCALE];
  const { width, height, top, lines, swatches } = layOut(chart, { width: wide, height: high });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
  const pen = canvas.getContext("2d")!;
  pen.scale(SCALE, SCALE);
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, width, height);
  pen.textBaseline = "top";
  for (const { x, y, colour } of swatches) ((pen.fillStyle = colour), pen.fillRect(x, y, 11, 11));
  for (const line of lines) {
    [pen.font, pen.fillStyle] = [`${line.bold ? "600 " : ""}${line.size}px ${line.font}`, line.colour];
    pen.fillText(line.text, line.x, line.y);
  }
  pen.drawImage(drawing, MARGIN, top, wide, high);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("it is too large"))), "image/png"));
}

/** Return the image as an SVG document. Names are set as text, so that they cannot be read as markup. */
export async function drawingOf(chart: Chart, config: Spec): Promise<string> {
  const drawing = new DOMParser().parseFromString(await svgOf(chart.spec, config, look()), "image/svg+xml").documentElement;
  const size = { width: Number(drawing.getAttribute("width")), height: Number(drawing.getAttribute("height")) };
  const { width, height, top, lines, swatches } = layOut(chart, size);
  const space = "http://www.w3.org/2000/svg";
  const result = document.implementation.createDocument(space, "svg");
  const add = (name: string, attributes: Record<string, string | number>, text = ""): void => {
    const part = result.createElementNS(space, name);
    for (const [attribute, value] of Object.entries(attributes)) part.setAttribute(attribute, String(value));
    part.textContent = text;
    result.documentElement.append(part);
  };
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) result.documentElement.setAttribute(name, String(value));
  add("rect", { width, height, fill: PAPER });
  for (const { x, y, colour } of swatches) add("rect", { x, y, width: 11, height: 11, fill: colour });
  for (const { text, x, y, font, size, bold, colour } of lines) {
    add("text", { x, y: y + size * 0.85, "font-family": font, "font-size": size, "font-weight": bold ? 600 : 400, fill: colour }, text);
  }
  for (const [name, value] of Object.entries({ x: MARGIN, y: top })) drawing.setAttribute(name, String(value));
  result.documentElement.append(result.importNode(drawing, true));
  return new XMLSerializer().serializeToString(result);
}

/** Return a text as lines that are no wider than `width` in the pen's font. */
function wrapText(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The entries of the legend, in lines. */
function keyLines(pen: CanvasRenderingContext2D, key: Chart["key"], room: number): { x: number; text: string; colour: string }[][] {
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
