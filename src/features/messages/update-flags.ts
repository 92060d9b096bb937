import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonIds, word } from '../../api/parameter-types.ts'
import { updateFlags } from './flags/update-flags.ts'

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
})
