import * as v from 'valibot'
import { LAST_SECOND, MAX_HANDMADE_LIST_LENGTH } from '../../api/input-limits.ts'
import { messageContent, sentTopic } from '../../api/message-parameters.ts'
import { integer, listUpTo } from '../../api/parameter-types.ts'
import { draftSchema } from '../../events/drafts.ts'

/** A draft as a client sends it; other keys are refused. Source: docs/interface/personal.md#drafts. */
export const givenDraft = v.strictObject({
  type: v.picklist(['', 'stream', 'private']),
  to: listUpTo(MAX_HANDMADE_LIST_LENGTH, integer),
  topic: sentTopic,
  content: v.pipe(v.string(), v.nonEmpty(), messageContent),
  timestamp: v.optional(v.pipe(v.number(), v.minValue(-LAST_SECOND), v.maxValue(LAST_SECOND))),
})

export const draftList = v.object({ count: v.number(), drafts: v.array(draftSchema) })
