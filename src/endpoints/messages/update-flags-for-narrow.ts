import * as v from 'valibot'
import { ServiceUnavailableError } from '../../core/errors.ts'
import {
  type PartlyFlaggedNarrow,
  type UpdateFlagsForNarrowResult,
  updateFlagsForNarrow,
} from '../../domain/messages/flags/update-flags-for-narrow.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { WORD_LENGTH } from '../input-limits.ts'
import {
  jsonBoolean,
  jsonNonNegativeInteger,
  nonNegativeInteger,
  textUpTo,
  word,
} from '../parameter-types.ts'
import { idList } from '../step-types.ts'
import { anchor, anchorDate } from './message-parameters.ts'
import { narrow, narrowTerms } from './narrow-parameter.ts'

/**
 * Sets or clears a personal flag on the messages of a narrow. Source:
 * docs/interface/reading.md#change-flags-in-a-narrow.
 */
export const updateFlagsForNarrowEndpoint = defineEndpoint({
  operation: 'update-flags-for-narrow',
  method: 'POST',
  path: '/messages/flags/narrow',
  access: 'user',
  params: {
    anchor,
    anchor_date: v.optional(anchorDate),
    include_anchor: v.optional(jsonBoolean, 'true'),
    num_before: jsonNonNegativeInteger,
    num_after: jsonNonNegativeInteger,
    narrow,
    op: v.pipe(word, v.description('`add` or `remove`.')),
    flag: v.pipe(word, v.description('`read`, `starred`, `collapsed` or `hide_link_previews`.')),
  },
  returns: v.object({
    processed_count: v.number(),
    updated_count: v.number(),
    first_processed_id: v.nullable(v.number()),
    last_processed_id: v.nullable(v.number()),
    found_oldest: v.boolean(),
    found_newest: v.boolean(),
    ignored_because_not_subscribed_channels: v.array(v.number()),
  }),
  command: updateFlagsForNarrow,
  audit: 'own',
  idempotency: 'last-step',
  isLast: isWhole,
  async finish(first, params, worker) {
    const last = await inSeveralCommits<Flagged>(first, isWhole, async (before) => {
      return (await worker.run(updateFlagsForNarrowStep.operation, { ...params, ...before })) as Flagged
    })
    if (!isWhole(last)) throw new ServiceUnavailableError()
    return last
  },
})

/** The step that changes each further part of thousands of messages, in a separate commit. */
export const updateFlagsForNarrowStep = defineStep({
  operation: 'update-flags-for-narrow-step',
  access: 'user',
  params: {
    anchor: textUpTo(WORD_LENGTH),
    anchor_date: v.optional(textUpTo(WORD_LENGTH)),
    include_anchor: v.boolean(),
    num_before: nonNegativeInteger,
    num_after: nonNegativeInteger,
    narrow: narrowTerms,
    op: textUpTo(WORD_LENGTH),
    flag: textUpTo(WORD_LENGTH),
    earlier: v.optional(
      v.strictObject({
        before: nonNegativeInteger,
        after: nonNegativeInteger,
        oldest: nonNegativeInteger,
        newest: nonNegativeInteger,
        result: v.strictObject({
          processed_count: nonNegativeInteger,
          updated_count: nonNegativeInteger,
          first_processed_id: v.nullable(nonNegativeInteger),
          last_processed_id: v.nullable(nonNegativeInteger),
          found_oldest: v.boolean(),
          found_newest: v.boolean(),
          ignored_because_not_subscribed_channels: idList,
        }),
      }),
    ),
  },
  command: updateFlagsForNarrow,
  audit: 'step',
  idempotency: 'last-step',
  isLast: isWhole,
})

type Flagged = UpdateFlagsForNarrowResult | PartlyFlaggedNarrow

function isWhole(flagged: Flagged): flagged is UpdateFlagsForNarrowResult {
  return !('earlier' in flagged)
}
