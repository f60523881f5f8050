/** An authenticator of software: one passkey (ES256) that does what it is told, also what a real one would not. */
import { createHash } from 'node:crypto';

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array): string => Buffer.from(data).toString('base64url');

export interface Wrong {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** The person was there, but showed nothing: no PIN, no fingerprint. */
  unverified?: true;
  counter?: number;
  userHandle?: string;
  id?: string;
  signature?: 'altered';
}

export class Authenticator {
  readonly #keys: CryptoKeyPair;
  readonly #id = crypto.getRandomValues(new Uint8Array(32));
  #counter = 0;

  private constructor(keys: CryptoKeyPair) {
    this.#keys = keys;
  }

  static async make(): Promise<Authenticator> {
    return new Authenticator((await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])) as CryptoKeyPair);
  }

  get id(): string {
    return base64url(this.#id);
  }

  #data(rpId: string, flags: number, counter: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  }

  #client(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  async create(challenge: string, origin: string, wrong: Wrong = {}): Promise<Record<string, unknown>> {
    const { x = '', y = '' } = (await crypto.subtle.exportKey('jwk', this.#keys.publicKey)) as JsonWebKey;
    const cose = Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), Buffer.from(x, 'base64url'), Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')]);
    const length = Buffer.from([this.#id.byteLength >> 8, this.#id.byteLength & 255]);
    const data = Buffer.concat([this.#data(wrong.rpId ?? new URL(origin).hostname, wrong.unverified ? 0x41 : 0x45, this.#counter), Buffer.alloc(16), length, this.#id, cose]);
    const size = Buffer.from([data.byteLength >> 8, data.byteLength & 255]);
    const attestation = Buffer.concat([
      Buffer.from('a363', 'hex'),
      Buffer.from('fmt'),
      Buffer.from('64', 'hex'),
      Buffer.from('none'),
      Buffer.from('67', 'hex'),
      Buffer.from('attStmt'),
      Buffer.from('a068', 'hex'),
      Buffer.from('authData'),
      Buffer.from('59', 'hex'),
      size,
      data,
    ]);
    const clientDataJSON = base64url(this.#client('webauthn.create', wrong.challenge ?? challenge, wrong.origin ?? origin));
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject: base64url(attestation), transports: ['internal'] },
    };
  }

  async get(challenge: string, origin: string, person: string, wrong: Wrong = {}): Promise<Record<string, unknown>> {
    this.#counter = wrong.counter ?? this.#counter + 1;
    const data = this.#data(wrong.rpId ?? new URL(origin).hostname, wrong.unverified ? 1 : 5, this.#counter);
    const client = this.#client('webauthn.get', wrong.challenge ?? challenge, wrong.origin ?? origin);
    const raw = new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, this.#keys.privateKey, Buffer.concat([data, sha256(client)])));
    const signature = der(raw);
    if (wrong.signature) signature[signature.byteLength - 1] = (signature[signature.byteLength - 1] ?? 0) ^ 1;
    const id = wrong.id ?? this.id;
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: Buffer.from(wrong.userHandle ?? person).toString('base64url'),
      },
    };
  }
}

/** Two numbers one after the other, as ASN.1 has them. */
function der(raw: Uint8Array): Buffer {
  const number = (bytes: Uint8Array): Buffer => {
    let from = 0;
    while (from < bytes.byteLength - 1 && bytes[from] === 0) from++;
    const digits = bytes.subarray(from);
    const body = (digits[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), digits]) : Buffer.from(digits);
    return Buffer.concat([Buffer.from([2, body.byteLength]), body]);
  };
  const both = Buffer.concat([number(raw.subarray(0, 32)), number(raw.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, both.byteLength]), both]);
}
