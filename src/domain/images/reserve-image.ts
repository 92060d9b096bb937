import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { cancelRemoval } from '../uploads/removal-rows.ts'
import { scheduleRemoval } from '../uploads/schedule-removal.ts'
import { imageKey, imageStem } from './public-image.ts'

/** A key that is reserved for an image that is about to come. What is stored there is an orphan until it is entered. */
export interface ReservedImage {
  /** `/user_avatars/1/0123…`, still without ending. */
  readonly stem: string
}

export function reserveImage(tx: RealmTransaction, fileId = tx.randomHex(16)): ReservedImage {
  const stem = imageStem(tx.realm.id, fileId)
  scheduleRemoval(tx, imageKey(stem), tx.now + DAY)
  return { stem }
}

/** The image at `path` is in use from now on, in all its forms. */
export function enterImage(tx: RealmTransaction, path: string): void {
  cancelRemoval(tx.sql, imageKey(path))
}

/** The image at `path` is not in use any more, in any form. */
export function retireImage(tx: RealmTransaction, path: string): void {
  scheduleRemoval(tx, imageKey(path), tx.now)
}
