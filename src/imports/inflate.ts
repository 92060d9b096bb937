import { createGunzip, createInflateRaw } from 'node:zlib'
import { ImportRefusedError } from './import-reader.ts'

/** Bytes that go into the decompressor and come out of it at a time. */
const [PACKED_BYTES, CHUNK_BYTES] = [64 * 1024, 64 * 1024] as const

/** Thrown for packed bytes that are damaged or end too early. */
export class DamagedDataError extends Error {}

/**
 * Unpacks no more than the caller asks for. A DecompressionStream would hold everything that its input unpacks to, which can be a thousand times
 * as much.
 */
export async function* inflated(
  packed: AsyncIterable<Uint8Array>,
  form: 'raw' | 'gzip',
): AsyncGenerator<Uint8Array> {
  const options = { chunkSize: CHUNK_BYTES }
  const inflate = form === 'raw' ? createInflateRaw(options) : createGunzip(options)
  const feeding = feed(packed, inflate).catch((error: unknown) => inflate.destroy(error as Error))
  try {
    for await (const chunk of inflate) yield chunk as Uint8Array
  } catch (error) {
    throw isOfData(error) ? new DamagedDataError() : error
  } finally {
    inflate.destroy()
    await feeding
  }
}

async function feed(
  packed: AsyncIterable<Uint8Array>,
  inflate: ReturnType<typeof createInflateRaw> | ReturnType<typeof createGunzip>,
): Promise<void> {
  const closed = new Promise((resolve) => inflate.once('close', resolve))
  for await (const block of packed) {
    for (let at = 0; at < block.length; at += PACKED_BYTES) {
      if (inflate.destroyed) return
      if (inflate.write(block.subarray(at, at + PACKED_BYTES))) continue
      await Promise.race([new Promise((resolve) => inflate.once('drain', resolve)), closed])
    }
  }
  inflate.end()
}

function isOfData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))
}

/** An archive that unpacks to more than this, and to more than this many times its size, was not written by people. */
const [SUSPICIOUS_TOTAL, SUSPICIOUS_RATIO] = [1024 * 1024 * 1024, 100] as const

/** @throws ImportRefusedError when an archive unpacks to far more than its size */
export function refuseBomb(unpacked: number, packed: number): void {
  if (unpacked <= SUSPICIOUS_TOTAL || unpacked <= packed * SUSPICIOUS_RATIO) return
  throw new ImportRefusedError(
    `This archive unpacks to more than ${SUSPICIOUS_RATIO} times its size, as no export does. Load the export again.`,
  )
}
