// Keys for the whole page, or for the element that has the focus.

export type KeyTable = Record<string, (event: KeyboardEvent) => void>;

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== "range";
  return target.isContentEditable || target.tagName === "TEXTAREA" || target.tagName === "SELECT";
}

/** `table` by KeyboardEvent.key, letters in lower case. */
export function listen_to_keys(where: HTMLElement | Document, table: KeyTable): void {
  where.addEventListener("keydown", (happened) => {
    const event = happened as KeyboardEvent;
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    // Space and Enter on a focused button press that button.
    const pressing = event.key === " " && event.target instanceof HTMLButtonElement;
    const action = table[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || pressing) return;
    event.preventDefault();
    action(event);
  });
}
