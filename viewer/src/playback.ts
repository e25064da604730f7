// The clock of the animation: one time for the stage, the plots and the timeline.

export const speeds = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000,
];

/** The speed at which a run takes between about 5 and 12 seconds to watch. */
export function comfortable_speed(duration: number): number {
  if (!(duration > 0)) return 1;
  if (duration >= 4 && duration <= 20) return 1;
  return speeds.find((speed) => duration / speed <= 10) ?? speeds[speeds.length - 1];
}

export class Playback {
  time: number;
  playing = false;
  loop = true;
  speed: number;
  /** follows the newest results of a run that goes on */
  follow_end = false;
  /** when the animation stops by itself or is stopped */
  on_end?: () => void;
  private listeners: (() => void)[] = [];
  private last_tick = 0;

  constructor(
    public start: number,
    public end: number,
  ) {
    this.time = start;
    this.speed = comfortable_speed(end - start);
  }

  on_change(listener: () => void): void {
    this.listeners.push(listener);
  }
  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  set_range(start: number, end: number): void {
    this.start = start;
    this.end = end;
    if (this.follow_end) this.time = end;
    this.time = Math.min(end, Math.max(start, this.time));
    this.changed();
  }

  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.follow_end = false;
    this.changed();
  }

  /** The time of a model that runs elsewhere. */
  show(time: number): void {
    const shown = Math.min(this.end, Math.max(this.start, time));
    if (shown === this.time) return;
    this.time = shown;
    this.changed();
  }

  play(on = true): void {
    if (on && this.time >= this.end) this.time = this.start;
    const ends = this.playing && !on;
    this.playing = on && this.end > this.start;
    if (on) this.follow_end = false;
    this.last_tick = performance.now();
    this.changed();
    if (this.playing) requestAnimationFrame(this.tick);
    if (ends) this.on_end?.();
  }
  toggle(): void {
    this.play(!this.playing);
  }

  faster(steps: number): void {
    const now = speeds.findIndex((speed) => speed >= this.speed * 0.999);
    this.speed = speeds[Math.min(speeds.length - 1, Math.max(0, now + steps))];
    this.changed();
  }
  set_speed(speed: number): void {
    this.speed = speed;
    this.changed();
  }
  toggle_loop(): void {
    this.loop = !this.loop;
    this.changed();
  }

  private tick = (now: number): void => {
    if (!this.playing) return;
    // A page in the background gets no frames; it goes on where it was.
    const elapsed = Math.min(0.1, Math.max(0, (now - this.last_tick) / 1000));
    this.last_tick = now;
    this.time += elapsed * this.speed;
    if (this.time >= this.end) {
      if (this.loop) this.time = this.start;
      else {
        this.time = this.end;
        this.playing = false;
      }
    }
    this.changed();
    if (this.playing) requestAnimationFrame(this.tick);
    else this.on_end?.();
  };
}
