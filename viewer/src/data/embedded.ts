// A run that stands in the page itself.
import type { Header } from "./format";
import { decode } from "./base64";
import { Run } from "./run";


export function embedded_run(): Run | undefined {
  const header = document.getElementById("trammel-header")?.textContent;
  const data = document.getElementById("trammel-data")?.textContent;
  if (!header || data == null) return undefined;
  return new Run(JSON.parse(header) as Header, decode(data), "");
}
