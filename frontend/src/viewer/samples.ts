// The sample games that were made at build time (`scripts/samples.py`).
export interface Sample {
  /** Names it in the address. */
  name: string;
  title: string;
  text: string;
  record: unknown;
}

const found = import.meta.glob<Sample[]>("../../samples/samples.json", { eager: true, import: "default" });

export const samples: Sample[] = Object.values(found).flat();
