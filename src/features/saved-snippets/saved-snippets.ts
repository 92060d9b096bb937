import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger, trimmedTextUpTo } from '../../api/parameter-types.ts'
import { toUsers } from '../../core/audience.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { ChangeIn } from '../../events/event-type.ts'
import { type StoredSavedSnippetsEvent, savedSnippetSchema } from '../../events/unsent.ts'
import { MAX_MESSAGE_LENGTH } from '../../model/messages/text/compose.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  changeSavedSnippet,
  deleteSavedSnippet,
  findSavedSnippet,
  insertSavedSnippet,
  listSavedSnippets,
  type SavedSnippet,
} from '../../store/personal/personal-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Lists the caller's snippets. Source: docs/interface/personal.md#saved-snippets. */
export const listSnippetsEndpoint = defineEndpoint({
  operation: 'list-snippets',
  route: 'GET /saved_snippets',
  access: 'user',
  returns: v.object({ saved_snippets: v.array(savedSnippetSchema) }),
  query: (tx, { user }) => ({ saved_snippets: listSavedSnippets(tx.sql, user.id) }),
})

const snippetContent = v.pipe(trimmedTextUpTo(MAX_MESSAGE_LENGTH), v.nonEmpty())
const MAX_TITLE_LENGTH = 60

const snippetTitle = v.pipe(trimmedTextUpTo(MAX_TITLE_LENGTH), v.nonEmpty())

/** Saves a text for later. Source: docs/interface/personal.md#saved-snippets. */
export const createSnippetEndpoint = defineEndpoint({
  operation: 'create-snippet',
  route: 'POST /saved_snippets',
  access: 'user',
  growsObject: true,
  params: { title: snippetTitle, content: snippetContent },
  returns: v.object({ saved_snippet_id: v.number() }),
  apply(tx, caller, { title, content }) {
    const { user } = caller
    const snippet = withinQuota(tx, caller, 'snippets', () =>
      insertSavedSnippet(tx.sql, user.id, { title, content, date_created: Math.floor(tx.now) }),
    )
    announce(tx, user, { op: 'add', saved_snippet: snippet })
    return { saved_snippet_id: snippet.id }
  },
  audit: 'own',
})

/** Changes a snippet. Equal values emit no event. Source: docs/interface/personal.md#saved-snippets. */
export const editSnippetEndpoint = defineEndpoint({
  operation: 'edit-snippet',
  route: 'PATCH /saved_snippets/:saved_snippet_id',
  access: 'user',
  growsObject: true,
  params: {
    saved_snippet_id: pathInteger,
    title: v.optional(snippetTitle),
    content: v.optional(snippetContent),
  },
  apply(tx, caller, { saved_snippet_id, title, content }) {
    const { user } = caller
    const before = requireSnippet(tx, user, saved_snippet_id)
    const after = { ...before, title: title ?? before.title, content: content ?? before.content }
    if (after.title === before.title && after.content === before.content) return
    withinQuota(tx, caller, 'snippets', () => changeSavedSnippet(tx.sql, after))
    announce(tx, user, { op: 'update', saved_snippet: after })
  },
  audit: 'own',
})

/** Deletes a snippet. Source: docs/interface/personal.md#saved-snippets. */
export const deleteSnippetEndpoint = defineEndpoint({
  operation: 'delete-snippet',
  route: 'DELETE /saved_snippets/:saved_snippet_id',
  access: 'user',
  params: { saved_snippet_id: pathInteger },
  apply(tx, { user }, { saved_snippet_id }) {
    const { id } = requireSnippet(tx, user, saved_snippet_id)
    deleteSavedSnippet(tx.sql, id)
    announce(tx, user, { op: 'remove', saved_snippet_id: id })
  },
  audit: 'own',
})

function requireSnippet(tx: RealmReads, user: User, id: number): SavedSnippet {
  const snippet = findSavedSnippet(tx.sql, user.id, id)
  if (!snippet) throw new NotFoundError('Saved snippet does not exist.')
  return snippet
}

function announce(tx: RealmTransaction, user: User, change: ChangeIn<StoredSavedSnippetsEvent>): void {
  tx.emit({ type: 'saved_snippets', ...change }, toUsers(user.id))
}
