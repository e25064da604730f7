// A film of the animation, recorded by the browser itself: from the start to the end, at the speed of the playback.
import type { Playback } from "../playback";
import type { Stage } from "../stage/stage";

const frames_per_second = 30;

const kinds = ["video/mp4;codecs=avc1", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** What this browser can record, or nothing. */
function kind_of_film(): string | undefined {
  if (typeof MediaRecorder === "undefined" || !HTMLCanvasElement.prototype.captureStream) return undefined;
  return kinds.find((kind) => MediaRecorder.isTypeSupported(kind));
}

export const can_film = (): boolean => kind_of_film() !== undefined;

export interface Film {
  name: string;
  content: Blob;
}

/** Plays the run once and records it; takes as long as that. */
export async function film(stage: Stage, playback: Playback): Promise<Film | undefined> {
  const kind = kind_of_film();
  if (!kind) return undefined;
  const { loop } = playback;
  const recorder = new MediaRecorder(stage.canvas.captureStream(frames_per_second), { mimeType: kind, videoBitsPerSecond: 12e6 });
  const parts: Blob[] = [];
  recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
  const ended = new Promise<void>((done) => recorder.addEventListener("stop", () => done()));
  playback.play(false);
  playback.loop = false;
  playback.seek(playback.start);
  stage.draw();
  recorder.start();
  playback.play();
  // One more look at the last picture, so that it is in the film.
  playback.on_end = () => setTimeout(() => recorder.stop(), 2000 / frames_per_second);
  await ended;
  playback.on_end = undefined;
  playback.loop = loop;
  return { name: `mechanism.${kind.includes("mp4") ? "mp4" : "webm"}`, content: new Blob(parts, { type: kind }) };
}
