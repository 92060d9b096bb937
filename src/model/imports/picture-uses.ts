import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { findNote, putNotes } from '../../store/imports/import-piece-rows.ts'
import type { RealmImageName } from '../../store/realm/realm-setting-rows.ts'
import type { ImportWork } from './import-work.ts'

/** The thing that a file of the source is the picture of. */
export type PictureUse =
  | { readonly kind: 'avatar'; readonly userId: number }
  | {
      readonly kind: 'emoji'
      readonly id: string
      readonly name: string
      readonly authorId: number
      readonly isDeactivated: boolean
    }
  | { readonly kind: RealmImageName }

/** People may share a picture; each gets one that can be replaced by itself. */
const USES_OF_FILE = 20

/** Notes that a file is a picture. It is shown once the file is copied. */
export function notePictureUse(
  tx: RealmTransaction,
  { imported, tally }: ImportWork,
  fileId: string,
  use: PictureUse,
): void {
  const before = pictureUsesOf(tx.sql, imported.id, fileId) ?? []
  if (before.length >= USES_OF_FILE) {
    tally.problem('picture of too many', fileId)
    return
  }
  putNotes(tx.sql, imported.id, new Map([[keyOf(fileId), JSON.stringify([...before, use])]]))
}

/** Notes that a file is a picture, perhaps one that nothing needs: it is no ordinary file. */
export function notePicture(
  tx: RealmTransaction,
  { imported }: ImportWork,
  fileId: string | undefined,
): void {
  if (fileId === undefined || pictureUsesOf(tx.sql, imported.id, fileId)) return
  putNotes(tx.sql, imported.id, new Map([[keyOf(fileId), '[]']]))
}

/** Returns what a file is the picture of; undefined for one that is an ordinary file. */
export function pictureUsesOf(sql: Sql, importId: number, fileId: string): readonly PictureUse[] | undefined {
  const note = findNote(sql, importId, keyOf(fileId))
  return note === undefined ? undefined : fromJson(note as JsonText<PictureUse[]>)
}

function keyOf(fileId: string): string {
  return `picture:${fileId}`
}
