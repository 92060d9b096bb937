import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { PROSE_LENGTH } from '../../api/input-limits.ts'
import { jsonInteger, jsonTimestamp, trimmedTextUpTo } from '../../api/parameter-types.ts'
import { createReminder } from '../../model/reminders/create-reminder.ts'

/** Schedules a reminder of a message. Source: docs/interface/personal.md#reminders. */
export const createReminderEndpoint = defineEndpoint({
  operation: 'create-reminder',
  method: 'POST',
  path: '/reminders',
  access: 'user',
  growsObject: true,
  params: {
    message_id: jsonInteger,
    scheduled_delivery_timestamp: v.pipe(jsonTimestamp, v.description('UNIX seconds.')),
    note: v.optional(
      v.pipe(trimmedTextUpTo(PROSE_LENGTH), v.description('A text that is shown with the reminder.')),
      '',
    ),
  },
  returns: v.object({ reminder_id: v.number() }),
  command: createReminder,
  audit: 'own',
})
