// Canvases at the resolution of the screen.

/** Clear the canvas, set its size (given in CSS pixels) at the resolution of the screen, and return its context. */
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

/** Return the centre of the device pixel nearest to `value`, so that a thin line is sharp. */
export function crisp(value: number): number {
  const density = window.devicePixelRatio || 1;
  return (Math.floor(value * density) + 0.5) / density;
}
