import type { RealmReads } from '../../core/realm-transaction.ts'
import type { RealmExport } from '../../store/exports/export-rows.ts'
import type { Attachment } from '../../store/uploads/attachment-rows.ts'
import type { EditHistoryPolicy } from '../messages/edit/edit-history.ts'
import type { PresentedMessage } from '../messages/read/present-message.ts'
import type { ExportScope } from './export-scope.ts'

/** An upload with those of the linking messages that are in the export. */
export interface ExportedUpload {
  readonly attachment: Attachment
  readonly messages: readonly { readonly id: number; readonly date_sent: number }[]
}

/** A picture that is copied. */
export interface ExportedPicture {
  /** The kind of picture, and the user or emoji that it belongs to. */
  readonly facts: { readonly kind: string; readonly user_id?: number; readonly emoji_id?: number }
  /** Possible keys of its file in R2: the first one that exists counts. */
  readonly keys: readonly string[]
  readonly contentType: string
  /** The name of its file below `pictures/`. */
  readonly name: string
}

/** The part of an export that the realm object reads in one turn. */
export type ExportPage = {
  /** Position at which the source continues; null at its end. */
  readonly next: readonly number[] | null
  /** A name that belongs to the position, where ids are not enough. */
  readonly nextName?: string | undefined
} & (
  | {
      readonly kind: 'json'
      /** Name of the file, if it is not numbered. */
      readonly name?: string
      /** Null for no file. */
      readonly content: object | null
    }
  | {
      readonly kind: 'messages'
      /** Messages still without their bodies. */
      readonly messages: readonly PresentedMessage[]
      readonly historyPolicy: EditHistoryPolicy
    }
  | { readonly kind: 'uploads'; readonly uploads: readonly ExportedUpload[] }
  | { readonly kind: 'pictures'; readonly pictures: readonly ExportedPicture[] }
)

export interface ExportView {
  readonly tx: RealmReads
  readonly exported: RealmExport
  readonly scope: ExportScope
}

/**
 * Rows after which a page ends, with the item being read. A channel may have ten thousand users who have received its
 * messages.
 */
export const ROWS_PER_PAGE = 20_000

/** One kind of data. It is read page by page, each in a turn of its own, so that nobody waits long. */
export interface ExportSource {
  /** Folder in the archive. */
  readonly name: string
  read(view: ExportView, cursor: readonly number[], name?: string): ExportPage
}
