import type { Command } from '../../core/command.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { findReminder } from './reminder-rows.ts'
import { removeReminder } from './remove-reminder.ts'

/** Deletes a reminder of the caller's. Source: docs/interface/personal.md#reminders. */
export const deleteReminder: Command<Caller, { readonly reminder_id: number }, void, object> = {
  apply(tx, { user }, { reminder_id }) {
    const reminder = findReminder(tx.sql, reminder_id)
    if (reminder?.userId !== user.id) throw new NotFoundError('Reminder does not exist')
    removeReminder(tx, reminder)
    return {}
  },
}
