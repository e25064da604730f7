// Runs that a local server offers (trammel view), growing while they are computed.
import type { Header } from "./format";
import { Run } from "./run";

export interface ServedState {
  label: string;
  rows: number;
  outcome: string;
}

/** A pack as one answer: length of the header (uint32), header, numbers at the next multiple of 8. */
function unpack(answer: ArrayBuffer, label: string): Run {
  const length = new DataView(answer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(answer, 4, length))) as Header;
  return new Run(header, answer.slice(Math.ceil((4 + length) / 8) * 8), label);
}

async function ask(path: string): Promise<Response> {
  const response = await fetch(path, { cache: "no-store" });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

export async function served_states(): Promise<ServedState[]> {
  return (await (await ask("api/runs")).json()) as ServedState[];
}

export async function served_run(number: number, label: string): Promise<Run> {
  return unpack(await (await ask(`api/runs/${number}`)).arrayBuffer(), label);
}
