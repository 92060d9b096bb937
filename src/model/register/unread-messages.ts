import { isFetched, type SnapshotOptions } from './snapshot.ts'

/** The fetch type that, together with `message`, adds the unread messages: messages and their flags. */
export const UNREAD_FLAGS = 'update_message_flags'

export function fetchesUnread(options: Pick<SnapshotOptions, 'types'>): boolean {
  return isFetched(options, 'message') && isFetched(options, UNREAD_FLAGS)
}
