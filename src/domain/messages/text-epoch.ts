import type { MemorySlot, RealmTransaction } from '../../core/realm-transaction.ts'

/**
 * While the epoch is the same, a version of a message is one text, and a Worker may keep it. Each start of the object begins
 * a new one: an object that is restored from a copy starts again, and then counts versions anew that others have seen.
 */
export const TEXT_EPOCH: MemorySlot<{ epoch: string }> = {
  name: 'text-epoch',
  load: () => ({ epoch: crypto.randomUUID() }),
}

/** Makes Workers forget the texts that they keep, since a message gets a version that it may have had before. */
export function beginTextEpoch(tx: RealmTransaction): void {
  tx.recallToChange(TEXT_EPOCH).epoch = tx.randomHex(16)
}
