import * as v from 'valibot'
import { isReminder, runCommand } from '../../domain/users/settings/run-command.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { PROSE_LENGTH } from '../input-limits.ts'
import { jsonInteger, trimmedTextUpTo, word } from '../parameter-types.ts'

/** A command that a user has typed, like `/ping`, `/dark` or `/remind 2h`. Source: docs/interface/users.md#commands. */
export const runCommandEndpoint = defineEndpoint({
  operation: 'run-command',
  method: 'POST',
  path: '/zcommand',
  access: 'human',
  growsObject: ({ command }) => isReminder(command),
  params: {
    command: trimmedTextUpTo(PROSE_LENGTH),
    message_id: v.optional(
      v.pipe(jsonInteger, v.description('The message of which /remind reminds. Parley only.')),
    ),
    timezone: v.optional(
      v.pipe(word, v.description('Of the times after /remind; by default that of the account. Parley only.')),
    ),
  },
  returns: v.object({
    reminder_id: v.optional(v.number()),
    scheduled_delivery_timestamp: v.optional(v.number()),
  }),
  command: runCommand,
  audit: 'own',
})
