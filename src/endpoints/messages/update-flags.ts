import * as v from 'valibot'
import { updateFlags } from '../../domain/messages/update-flags.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { WORD_LENGTH } from '../input-limits.ts'
import { jsonIds, textUpTo } from '../parameter-types.ts'

/** Puts a personal flag on messages, or takes it off. Source: SPEC 4.19. */
export const updateFlagsEndpoint = defineEndpoint({
  operation: 'update-flags',
  method: 'POST',
  path: '/messages/flags',
  access: 'user',
  params: {
    messages: jsonIds,
    op: v.pipe(textUpTo(WORD_LENGTH), v.description('`add` or `remove`.')),
    flag: v.pipe(textUpTo(WORD_LENGTH), v.description('`read`, `starred` or `collapsed`.')),
  },
  returns: v.object({
    messages: v.array(v.number()),
    ignored_because_not_subscribed_channels: v.optional(v.array(v.number())),
  }),
  command: updateFlags,
})
