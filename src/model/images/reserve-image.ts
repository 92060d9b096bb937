import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { imageKey, imageStem } from '../../store/images/public-image.ts'
import { cancelRemoval } from '../../store/uploads/removal-rows.ts'
import { scheduleRemoval } from '../uploads/attachments.ts'

/** A key reserved for an image, which is removed unless it is entered. */
export interface ReservedImage {
  /** Path without its ending: `/user_avatars/1/0123…`. */
  readonly stem: string
}

export function reserveImage(tx: RealmTransaction, fileId = tx.randomHex(16)): ReservedImage {
  const stem = imageStem(tx.realm.id, fileId)
  scheduleRemoval(tx, imageKey(stem), tx.now + DAY)
  return { stem }
}

/** Marks the image at `path` as used, in all its forms. */
export function insertImage(tx: RealmTransaction, path: string): void {
  cancelRemoval(tx.sql, imageKey(path))
}

/** Marks the image at `path` as no longer used, in any form. */
export function retireImage(tx: RealmTransaction, path: string): void {
  scheduleRemoval(tx, imageKey(path), tx.now)
}
