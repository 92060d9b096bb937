import { waitUntil } from 'cloudflare:workers'
import { MIB } from '../../core/files.ts'
import { log } from '../../core/log.ts'
import { nearTrip, outOfRequest } from '../../core/request-record.ts'
import { DAY } from '../../core/time.ts'

/**
 * Copies of stored files at the edge, in the cache of the part of the world where the request came in. They
 * are found by their keys in the store, under which nothing ever changes, and have no address: code that
 * sends one has asked the organization before whether the reader may have it.
 */
const CACHE = 'stored-files'
/** Seconds for which a copy is kept; a file deleted in the store is gone here too after them. */
const KEPT_SECONDS = DAY
/** Limit of a copy, in bytes; larger files are read from the store. */
const MAX_BYTES = 100 * MIB
const MAX_STARTED = 1_000

/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Returns a file, or the range of it; undefined where there is no copy. The copy only saves time: a failing
 * cache counts as one without it.
 */
export async function edgeCopy(key: string, range?: ByteRange): Promise<Response | undefined> {
  const headers = range ? { Range: `bytes=${range.start}-${range.end}` } : undefined
  try {
    const copy = await nearTrip(async () => {
      const cache = await caches.open(CACHE)
      return cache.match(new Request(addressOf(key), { headers }))
    })
    if (!copy) return undefined
    if (copy.status === (range ? 206 : 200)) return copy
    // The cache does not know ranges, or not this one.
    await copy.body?.cancel()
  } catch (error) {
    log('warn', 'The cache of the edge cannot be read', { error })
  }
  return undefined
}

/** Keys of which a copy was begun here: of the many ranges of a film the first suffices. */
const started = new Set<string>()

/**
 * Stores a copy independently of the request. The file is read once more, since a slow reader would hold in
 * memory what the cache has taken already.
 */
export function keepEdgeCopy(bucket: R2Bucket, key: string, size: number): void {
  if (size > MAX_BYTES || started.has(key)) return
  if (started.size >= MAX_STARTED) started.clear()
  started.add(key)
  waitUntil(outOfRequest(() => copyFrom(bucket, key).catch(() => {})).finally(() => started.delete(key)))
}

async function copyFrom(bucket: R2Bucket, key: string): Promise<void> {
  const stored = await bucket.get(key)
  if (!stored) return
  const headers = {
    'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
    'Content-Length': String(stored.size),
  }
  const cache = await caches.open(CACHE)
  await cache.put(addressOf(key), new Response(stored.body, { headers }))
}

function addressOf(key: string): string {
  return `https://stored-files.invalid/${encodeURIComponent(key)}`
}
