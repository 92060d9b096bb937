import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType, topicFor } from './event-type.ts'

export const draftSchema = v.strictObject({
  id: v.number(),
  type: v.picklist(['', 'stream', 'private']),
  to: v.array(v.number()),
  topic: v.string(),
  content: v.string(),
  /** UNIX seconds with fraction. */
  timestamp: v.number(),
})
type Draft = v.InferOutput<typeof draftSchema>

/**
 * Drafts of the user were added, or one was changed or deleted. Source:
 * docs/interface/events.md#events-about-what-is-ones-own.
 */
export interface StoredDraftsEvent extends LogEvent {
  readonly type: 'drafts'
  readonly op: 'add' | 'update' | 'remove'
  readonly drafts?: readonly Draft[]
  readonly draft?: Draft
  readonly draft_id?: number
}

const envelope = { id: v.number(), type: v.literal('drafts') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    drafts: StoredDraftsEvent
  }
}

/**
 * The topic has the form that the client knows (docs/decisions/interface.md#conventions); a direct draft has
 * none.
 */
export const draftsEvent = defineEventType<StoredDraftsEvent>({
  type: 'drafts',
  schema: v.union([
    v.strictObject({ ...envelope, op: v.literal('add'), drafts: v.array(draftSchema) }),
    v.strictObject({ ...envelope, op: v.literal('update'), draft: draftSchema }),
    v.strictObject({ ...envelope, op: v.literal('remove'), draft_id: v.number() }),
  ]),
  deliver({ drafts, draft, ...stored }, context) {
    const shown = (one: Draft): Draft =>
      one.type === 'stream' ? { ...one, topic: topicFor(context, one.topic) } : one
    return [
      {
        ...stored,
        ...(drafts ? { drafts: drafts.map(shown) } : {}),
        ...(draft ? { draft: shown(draft) } : {}),
      },
    ]
  },
})
