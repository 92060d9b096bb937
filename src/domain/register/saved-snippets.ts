import { listSavedSnippets } from '../saved-snippets/saved-snippet-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `saved_snippets`: the caller's own. */
export const savedSnippetsSnapshot: Snapshot = (tx, { user }) => ({
  saved_snippets: listSavedSnippets(tx.sql, user.id),
})
