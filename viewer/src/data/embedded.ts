// A run that stands in the page itself.
import type { Header } from "./format";
import { Run } from "./run";

function decode(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

export function embedded_run(): Run | undefined {
  const header = document.getElementById("trammel-header")?.textContent;
  const data = document.getElementById("trammel-data")?.textContent;
  if (!header || data == null) return undefined;
  return new Run(JSON.parse(header) as Header, decode(data), "");
}
