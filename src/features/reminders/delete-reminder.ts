import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { removeReminder } from '../../model/reminders/remove-reminder.ts'
import { findReminder } from '../../store/reminders/reminder-rows.ts'

/** Deletes a reminder of the caller's. Source: docs/interface/personal.md#reminders. */
export const deleteReminderEndpoint = defineEndpoint({
  operation: 'delete-reminder',
  method: 'DELETE',
  path: '/reminders/:reminder_id',
  access: 'user',
  params: { reminder_id: pathInteger },
  returns: v.object({}),
  command: { apply: deleteReminder },
  audit: 'own',
})

function deleteReminder(
  tx: RealmTransaction,
  { user }: Caller,
  { reminder_id }: { readonly reminder_id: number },
): object {
  const reminder = findReminder(tx.sql, reminder_id)
  if (reminder?.userId !== user.id) throw new NotFoundError('Reminder does not exist')
  removeReminder(tx, reminder)
  return {}
}
