// The sample games, made at build time (`scripts/samples.py`).
export interface Sample {
  /** Its name in the address. */
  name: string;
  title: string;
  text: string;
  record: unknown;
}

const files = import.meta.glob<Sample[]>("../../samples/samples.json", { eager: true, import: "default" });

export const samples: Sample[] = Object.values(files).flat();
