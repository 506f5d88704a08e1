// What every drawing begins with: a canvas as sharp as the screen.

/** Make the canvas `width` by `height` CSS pixels, empty and sharp, and give its pen. Nothing is drawn beyond it. */
export function sheet(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const density = window.devicePixelRatio || 1;
  const across = Math.round(width * density);
  const down = Math.round(height * density);
  const pen = canvas.getContext("2d")!;
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
  } else {
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, across, down);
  }
  pen.setTransform(density, 0, 0, density, 0, 0);
  return pen;
}

/** The middle of a device pixel nearest to `value`, so that a thin line is not smeared over two. */
export function crisp(value: number): number {
  const density = window.devicePixelRatio || 1;
  return (Math.floor(value * density) + 0.5) / density;
}
