import * as v from 'valibot'
import { ServiceUnavailableError } from '../../core/errors.ts'
import {
  type PartlyFlagged,
  type UpdateFlagsResult,
  updateFlags,
} from '../../domain/messages/flags/update-flags.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { WORD_LENGTH } from '../input-limits.ts'
import { jsonIds, nonNegativeInteger, textUpTo, word } from '../parameter-types.ts'
import { idList } from '../step-types.ts'

/** Sets or clears a personal flag on messages. Source: docs/interface/reading.md#change-flags. */
export const updateFlagsEndpoint = defineEndpoint({
  operation: 'update-flags',
  method: 'POST',
  path: '/messages/flags',
  access: 'user',
  params: {
    messages: jsonIds,
    op: v.pipe(word, v.description('`add` or `remove`.')),
    flag: v.pipe(word, v.description('`read`, `starred`, `collapsed` or `hide_link_previews`.')),
  },
  returns: v.object({
    messages: v.array(v.number()),
    ignored_because_not_subscribed_channels: v.optional(v.array(v.number())),
  }),
  command: updateFlags,
  audit: 'own',
  idempotency: 'last-step',
  isLast: isWhole,
  async finish(first, params, worker) {
    const last = await inSeveralCommits<Flagged>(first, isWhole, async (before) => {
      return (await worker.run(updateFlagsStep.operation, { ...params, ...before })) as Flagged
    })
    if (!isWhole(last)) throw new ServiceUnavailableError()
    return last
  },
})

/** Changes a further part of thousands of messages, in a commit of its own. */
export const updateFlagsStep = defineStep({
  operation: 'update-flags-step',
  access: 'user',
  params: {
    messages: idList,
    op: textUpTo(WORD_LENGTH),
    flag: textUpTo(WORD_LENGTH),
    earlier: v.optional(
      v.strictObject({ done: nonNegativeInteger, changed: idList, ignoredChannels: idList }),
    ),
  },
  command: updateFlags,
  audit: 'step',
  idempotency: 'last-step',
  isLast: isWhole,
})

type Flagged = UpdateFlagsResult | PartlyFlagged

function isWhole(result: Flagged): result is UpdateFlagsResult {
  return !('earlier' in result)
}
