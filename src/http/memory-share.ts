import { MIB } from '../core/files.ts'

/** What requests of one isolate may hold at a time of files that must be in memory as a whole: it has 128 MiB. */
const TOGETHER_BYTES = 40 * MIB
/** A request whose client has gone is never ended: what it took is free again after this. */
const LONGEST_MS = 30_000

interface Share {
  readonly bytes: number
  /** UNIX milliseconds. */
  readonly until: number
}

const shares = new Set<Share>()

/** Takes a share of the isolate's memory; answers how to give it back, or undefined when there is not enough. */
export function takeMemory(bytes: number, now = Date.now()): (() => void) | undefined {
  let taken = 0
  for (const share of shares) {
    if (share.until <= now) shares.delete(share)
    else taken += share.bytes
  }
  if (taken + bytes > TOGETHER_BYTES) return undefined
  const share = { bytes, until: now + LONGEST_MS }
  shares.add(share)
  return () => shares.delete(share)
}
