// The sample games. They are made when the pages are built (`scripts/samples.py`).
export interface Sample {
  /** The name of the game in the address. */
  name: string;
  title: string;
  text: string;
  record: unknown;
}

const files = import.meta.glob<Sample[]>("../../samples/samples.json", { eager: true, import: "default" });

export const samples: Sample[] = Object.values(files).flat();
