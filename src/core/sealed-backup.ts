import { joinedBytes } from './growing-bytes.ts'
import { keyBytes, NoSecretsKeyError, type SealingEnvironment } from './sealed-secret.ts'

/**
 * Seals and opens what a deployment keeps in a store of backups, with keys that follow from its SECRETS_KEY (HKDF): nobody else reads it,
 * and nobody else can write what it opens. What SECRETS_KEY_PREVIOUS has sealed is opened too.
 */
export interface BackupSealer {
  /** Shows which key seals, and nothing of the key. */
  readonly mark: string
  /** Returns the name of a chunk, which follows from its content: what is stored already is not stored again. */
  nameOf(content: Uint8Array<ArrayBuffer>): Promise<string>
  /** Whether it is the name of this content, by any of the keys. */
  isName(name: string, content: Uint8Array<ArrayBuffer>): Promise<boolean>
  seal(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>
  /** @throws if another key has sealed it, or somebody has changed it. */
  open(sealed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>
  /** Seals a file as it arrives, segment by segment. */
  sealFile(): TransformStream<Uint8Array, Uint8Array>
  /** Opens one likewise. @throws in the stream where a segment was changed, moved or left out */
  openFile(): TransformStream<Uint8Array, Uint8Array>
}

const IV_BYTES = 12
const TAG_BYTES = 16
/** Bytes of a file that are sealed together. */
const SEGMENT = 1024 * 1024

/** Returns the bytes of a file once it is sealed. An empty file is one empty segment. */
export function sealedSize(size: number): number {
  return size + Math.max(Math.ceil(size / SEGMENT), 1) * (IV_BYTES + TAG_BYTES)
}

/** @throws NoSecretsKeyError (400) */
export async function backupSealer(env: SealingEnvironment): Promise<BackupSealer> {
  const bytes = keyBytes('SECRETS_KEY', env.SECRETS_KEY)
  if (!bytes) throw new NoSecretsKeyError()
  const previous = keyBytes('SECRETS_KEY_PREVIOUS', env.SECRETS_KEY_PREVIOUS)
  const sealer = await keySealerOf(bytes)
  const openers = previous ? [sealer, await keySealerOf(previous)] : [sealer]
  return {
    mark: await sealer.nameOf(new TextEncoder().encode('mark')),
    nameOf: sealer.nameOf,
    async isName(name, content) {
      for (const { nameOf } of openers) if ((await nameOf(content)) === name) return true
      return false
    },
    seal: (plain) => sealer.seal(plain, 'whole'),
    open: async (sealed) => (await openWithAny(openers, sealed, 'whole')).content,
    sealFile: () => inSegments(SEGMENT, sealer.seal),
    openFile() {
      // All segments of a file have the key of its first one.
      let of = openers
      return inSegments(SEGMENT + IV_BYTES + TAG_BYTES, async (segment, name) => {
        const { content, opener } = await openWithAny(of, segment, name)
        of = [opener]
        return content
      })
    },
  }
}

type KeySealer = Awaited<ReturnType<typeof keySealerOf>>

/** @throws what the last one has thrown, if none opens it */
async function openWithAny(
  openers: readonly KeySealer[],
  sealed: Uint8Array<ArrayBuffer>,
  segment: string,
): Promise<{ readonly content: Uint8Array<ArrayBuffer>; readonly opener: KeySealer }> {
  let failure: unknown
  for (const opener of openers) {
    try {
      return { content: await opener.open(sealed, segment), opener }
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

async function keySealerOf(bytes: Uint8Array<ArrayBuffer>) {
  const secret = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  const [content, names] = await Promise.all([
    crypto.subtle.deriveKey(derivation('contents'), secret, { name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]),
    crypto.subtle.deriveKey(derivation('names'), secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
  ])
  const seal = async (plain: Uint8Array<ArrayBuffer>, segment: string) => {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
    const additionalData = new TextEncoder().encode(segment)
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, content, plain)
    return joinedBytes([iv, new Uint8Array(sealed)])
  }
  const open = async (sealed: Uint8Array<ArrayBuffer>, segment: string) => {
    const iv = sealed.subarray(0, IV_BYTES)
    const additionalData = new TextEncoder().encode(segment)
    const body = sealed.subarray(IV_BYTES)
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, content, body))
  }
  const nameOf = async (plain: Uint8Array<ArrayBuffer>) =>
    Buffer.from(await crypto.subtle.sign('HMAC', names, plain)).toString('hex')
  return { nameOf, seal, open }
}

/** Changes a stream segment by segment. The last one is known as such, so that a file cannot be cut short unnoticed. */
function inSegments(
  bytes: number,
  change: (segment: Uint8Array<ArrayBuffer>, name: string) => Promise<Uint8Array>,
): TransformStream<Uint8Array, Uint8Array> {
  // What arrives is joined once there is a segment of it: its chunks may be small.
  let arrived: Uint8Array[] = []
  let length = 0
  let number = 0
  return new TransformStream({
    async transform(chunk, controller) {
      arrived.push(chunk)
      length += chunk.length
      if (length <= bytes) return
      let held = joinedBytes(arrived)
      while (held.length > bytes) {
        controller.enqueue(await change(held.slice(0, bytes), `segment ${number}`))
        held = held.slice(bytes)
        number += 1
      }
      arrived = [held]
      length = held.length
    },
    async flush(controller) {
      controller.enqueue(await change(joinedBytes(arrived), `last segment ${number}`))
    },
  })
}

function derivation(use: 'contents' | 'names') {
  const info = new TextEncoder().encode(`parley backup\n${use}`)
  return { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
}
