import type { RealmView } from '../../core/realm-transaction.ts'
import type { Draft } from '../../store/drafts/draft-rows.ts'
import { spelledAsRenamed } from '../messages/topic-of-message.ts'

/** Returns a user's draft in the form for clients, with its topic in the present spelling. Source: docs/interface/personal.md#drafts. */
export function presentDraft(view: Pick<RealmView, 'sql' | 'now'>, userId: number, draft: Draft): Draft {
  const [channelId] = draft.to
  if (draft.type !== 'stream' || channelId === undefined) return draft
  return { ...draft, topic: spelledAsRenamed(view, userId, channelId, draft.topic) }
}
