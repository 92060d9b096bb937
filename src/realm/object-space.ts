import { LARGEST_OBJECT } from '../core/budgets.ts'
import { StorageFullError } from '../core/errors.ts'
import type { Operation } from '../endpoints/define-endpoint.ts'
import type { Runtime } from './runtime.ts'

/**
 * What makes an organization's object grow, message by message and file by file. While it is nearly full these are
 * refused; reading, marking as read, deleting, logging in and administration have what is left.
 */
const GROWING: ReadonlySet<string> = new Set([
  'send-message',
  'open-mail',
  'take-mail',
  'update-message',
  'send-submessage',
  'add-reaction',
  'report-message',
  'create-drafts',
  'edit-draft',
  'create-snippet',
  'edit-snippet',
  'create-scheduled-message',
  'edit-scheduled-message',
  'create-reminder',
  'upload-file',
  'create-resumable-upload',
  'append-to-resumable-upload',
  'upload-avatar',
  'upload-custom-emoji',
  'update-bot-storage',
  'create-channel',
  'subscribe',
  'create-user-group',
  'create-bot',
  'create-user',
  'send-invites',
  'create-invite-link',
  'add-alert-words',
  'set-topic-policy',
  'mute-topic',
  'add-navigation-view',
  'create-channel-folder',
  'export-realm',
])

/** So many looks share one measurement, and what so many operations add at most is a small part of the reserve. */
const LOOKS_PER_MEASUREMENT = 32

/** Bytes of an object's SQLite: asking for them costs a statement of its own, at each message. */
export class StorageGauge {
  readonly #sql: SqlStorage
  #bytes = 0
  #looks = 0

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** At most `LOOKS_PER_MEASUREMENT` looks old. */
  get bytes(): number {
    if (this.#looks <= 0) {
      this.#bytes = this.#sql.databaseSize
      this.#looks = LOOKS_PER_MEASUREMENT
    }
    this.#looks -= 1
    return this.#bytes
  }
}

/** @throws StorageFullError */
export function requireRoom({ databaseSize }: Runtime, { operation }: Operation): void {
  if (GROWING.has(operation) && databaseSize() >= LARGEST_OBJECT) throw new StorageFullError()
}
