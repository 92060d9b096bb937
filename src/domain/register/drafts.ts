import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import { listDrafts } from '../drafts/draft-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** So many, the newest (docs/interface/conventions.md#limits). */
const MAX_DRAFTS = 1_000

/** Key of `drafts`: the caller's own. */
export const draftsSnapshot: Snapshot = (tx, { user }, { capabilities }) => ({
  drafts: listDrafts(tx.sql, user.id, MAX_DRAFTS).map((draft) =>
    draft.type === 'stream' && draft.topic === '' && !capabilities.has('empty_topic_name')
      ? { ...draft, topic: EMPTY_TOPIC_DISPLAY_NAME }
      : draft,
  ),
})
