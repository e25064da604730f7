// A model that runs on the server while one looks at it (trammel view model.yaml).

export interface LiveParameter {
  name: string;
  /** SI units */
  value: number;
  unit: string;
  /** differs from the file */
  changed: boolean;
}

export interface LiveState {
  label: string;
  /** counts models: another one may have other bodies and channels */
  generation: number;
  time: number;
  playing: boolean;
  speed: number;
  /** share of that speed that the machine reaches */
  pace: number;
  /** mistakes in the file, or why the run ended */
  trouble: string;
  parameters: LiveParameter[];
}

/** Undefined where the server shows results only. */
export async function live_state(): Promise<LiveState | undefined> {
  const response = await fetch("api/live", { cache: "no-store" });
  return response.ok ? (((await response.json()) as LiveState | null) ?? undefined) : undefined;
}

/** Tells the server what to do; its state afterwards. */
export async function live_command(name: string, values: Record<string, string | number> = {}): Promise<LiveState> {
  const query = new URLSearchParams(Object.entries(values).map(([key, value]) => [key, String(value)]));
  const response = await fetch(`api/live/${name}?${query}`, { method: "POST", headers: { "X-Trammel": "1" }, cache: "no-store" });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as LiveState;
}
