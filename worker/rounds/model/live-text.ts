/**
 * What the model writes, on its way to those who watch: at most four pieces a second, only while somebody is there, nothing of it on record. What comes of
 * it never delays the round, and a piece that is lost stays lost.
 */

/** Milliseconds between two pieces. */
const APART = 250;
/** How long nobody is asked for after there was nobody, milliseconds. */
const NOBODY = 5000;

export interface LiveTextPorts {
  now(): number;
  /** Whether anybody watches; never throws. */
  send(text: string, done: boolean): Promise<boolean>;
  /** Takes out what must not leave, also where it is split over pieces. */
  redact(): { push(piece: string): string; end(): string };
}

export class LiveText {
  readonly #ports: LiveTextPorts;
  #cleaner: ReturnType<LiveTextPorts['redact']>;
  #seen = 0;
  #unsent = '';
  #notBefore = 0;
  #sending = false;
  /** Something of this message was shown, so its end is said too. */
  #shown = false;

  constructor(ports: LiveTextPorts) {
    this.#ports = ports;
    this.#cleaner = ports.redact();
  }

  /** The message so far. */
  grow(text: string): void {
    this.#unsent += this.#cleaner.push(text.slice(this.#seen));
    this.#seen = text.length;
    if (this.#sending || this.#unsent === '' || this.#ports.now() < this.#notBefore) return;
    void this.#send(false);
  }

  /** The message is over, whole or not. */
  end(): void {
    this.#unsent += this.#cleaner.end();
    this.#cleaner = this.#ports.redact();
    this.#seen = 0;
    const wanted = this.#shown || (this.#unsent !== '' && this.#ports.now() >= this.#notBefore);
    if (wanted) void this.#send(true);
    this.#shown = false;
    this.#unsent = '';
  }

  async #send(done: boolean): Promise<void> {
    const text = this.#unsent;
    this.#unsent = '';
    this.#sending = true;
    this.#notBefore = this.#ports.now() + APART;
    try {
      const watched = await this.#ports.send(text, done);
      if (watched && !done) this.#shown = true;
      // Who comes later in this message reads it from its beginning.
      if (!watched && !done) this.#unsent = text + this.#unsent;
      if (!watched) this.#notBefore = this.#ports.now() + NOBODY;
    } finally {
      this.#sending = false;
    }
  }
}
