import * as v from 'valibot'
import { draftSchema } from '../../events/drafts.ts'
import { integer } from '../parameter-types.ts'

/** A draft as a client gives it: other keys are refused. Source: core-endpoints 15. */
export const givenDraft = v.strictObject({
  type: v.picklist(['', 'stream', 'private']),
  to: v.array(integer),
  topic: v.string(),
  content: v.pipe(v.string(), v.nonEmpty()),
  timestamp: v.optional(v.number()),
})

export const draftList = v.object({ count: v.number(), drafts: v.array(draftSchema) })
