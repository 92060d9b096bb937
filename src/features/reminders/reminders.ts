import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { PROSE_LENGTH } from '../../api/input-limits.ts'
import {
  described,
  jsonInteger,
  jsonTimestamp,
  pathInteger,
  trimmedTextUpTo,
} from '../../api/parameter-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import { reminderSchema } from '../../events/unsent.ts'
import { createReminder } from '../../model/reminders/create-reminder.ts'
import { removeReminder } from '../../model/reminders/remove-reminder.ts'
import { presentReminder } from '../../model/unsent/present-unsent.ts'
import { findReminder, listRemindersOf } from '../../store/unsent/unsent-rows.ts'

/** Lists the caller's reminders, the next one first. Source: docs/interface/personal.md#reminders. */
export const getRemindersEndpoint = defineEndpoint({
  operation: 'get-reminders',
  route: 'GET /reminders',
  access: 'user',
  returns: v.object({ reminders: v.array(reminderSchema) }),
  query: ({ sql }, { user }) => ({ reminders: listRemindersOf(sql, user.id).map(presentReminder) }),
})

/** Schedules a reminder of a message. Source: docs/interface/personal.md#reminders. */
export const createReminderEndpoint = defineEndpoint({
  operation: 'create-reminder',
  route: 'POST /reminders',
  access: 'user',
  growsObject: true,
  params: {
    message_id: jsonInteger,
    scheduled_delivery_timestamp: described(jsonTimestamp, 'UNIX seconds.'),
    note: v.optional(described(trimmedTextUpTo(PROSE_LENGTH), 'A text that is shown with the reminder.'), ''),
  },
  returns: v.object({ reminder_id: v.number() }),
  apply: createReminder,
  audit: 'own',
})

/** Deletes one of the caller's reminders. Source: docs/interface/personal.md#reminders. */
export const deleteReminderEndpoint = defineEndpoint({
  operation: 'delete-reminder',
  route: 'DELETE /reminders/:reminder_id',
  access: 'user',
  params: { reminder_id: pathInteger },
  apply(tx, { user }, { reminder_id }) {
    const reminder = findReminder(tx.sql, reminder_id)
    if (reminder?.userId !== user.id) throw new NotFoundError('Reminder does not exist')
    removeReminder(tx, reminder)
  },
  audit: 'own',
})
