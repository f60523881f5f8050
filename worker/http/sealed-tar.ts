/** A tar as it is streamed, and the list of what went in with sizes and digests, for its seal. One can stand in a folder of another: its entries are in the lists of both. */
import { createHash } from 'node:crypto';
import type { createTarPacker } from 'modern-tar';
import type { ArchiveSeal } from '../goal/archive/format.ts';

export type Entry = ArchiveSeal['entries'][number];
export type Packer = ReturnType<typeof createTarPacker>['controller'];

export class SealedTar {
  /** In order, by their names within this one. */
  readonly entries: Entry[] = [];
  readonly #packer: Packer;
  readonly #outer: { tar: SealedTar; folder: string } | undefined;

  constructor(packer: Packer, outer?: { tar: SealedTar; folder: string }) {
    this.#packer = packer;
    this.#outer = outer;
  }

  /** `folder` with its slash. */
  within(folder: string): SealedTar {
    return new SealedTar(this.#packer, { tar: this, folder });
  }

  async add(name: string, text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    const writer = this.#open({ name, size: bytes.byteLength, digest: createHash('sha256').update(bytes).digest('hex') }).getWriter();
    await writer.write(bytes);
    await writer.close();
  }

  /** Bytes whose digest is known, never held whole. */
  async stream(entry: Entry, body: ReadableStream<Uint8Array>): Promise<void> {
    await body.pipeTo(this.#open(entry));
  }

  #open(entry: Entry): WritableStream<Uint8Array> {
    return this.#packer.add({ name: this.#note(entry), size: entry.size, type: 'file' });
  }

  /** The name within the whole. */
  #note(entry: Entry): string {
    this.entries.push(entry);
    return this.#outer ? this.#outer.tar.#note({ ...entry, name: `${this.#outer.folder}${entry.name}` }) : entry.name;
  }
}
