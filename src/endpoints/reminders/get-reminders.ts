import * as v from 'valibot'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../domain/caller.ts'
import { presentReminder } from '../../domain/reminders/present-reminder.ts'
import { listRemindersOf } from '../../domain/reminders/reminder-rows.ts'
import { type PresentedReminder, reminderSchema } from '../../events/reminders.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/** Lists the caller's reminders, the next one first. Source: docs/interface/personal.md#reminders. */
export const getRemindersEndpoint = defineEndpoint({
  operation: 'get-reminders',
  method: 'GET',
  path: '/reminders',
  access: 'user',
  params: {},
  returns: v.object({ reminders: v.array(reminderSchema) }),
  command: { reads: true, apply: getReminders },
})

function getReminders({ sql }: RealmReads, { user }: Caller): { reminders: PresentedReminder[] } {
  return { reminders: listRemindersOf(sql, user.id).map(presentReminder) }
}
