import { LARGEST_OBJECT } from '../core/budgets.ts'
import { StorageFullError } from '../core/errors.ts'
import type { Operation } from '../endpoints/define-endpoint.ts'
import type { Runtime } from './runtime.ts'

/**
 * What makes an organization's object grow, message by message and file by file. While it is nearly full these are
 * refused; reading, marking as read, deleting, logging in and administration have what is left.
 */
export const GROWING: ReadonlySet<string> = new Set([
  'send-message',
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

/** @throws StorageFullError */
export function requireRoom({ databaseSize }: Runtime, { operation }: Operation): void {
  if (GROWING.has(operation) && databaseSize() >= LARGEST_OBJECT) throw new StorageFullError()
}
