import { deliverReminder, messageOfReminder } from '../../domain/reminders/deliver-reminder.ts'
import { suspendableChange } from './change-by-job.ts'
import type { JobHandler } from './job-handler.ts'

/**
 * Delivers one reminder: `key` is its id. Repeated at once when the message was edited while its text was
 * read.
 */
export const deliverDueReminder: JobHandler = async (runtime, key) => {
  const { sql, tail } = runtime
  const message = messageOfReminder(sql, Number(key))
  const bodies = message && (await tail.readerOver(runtime).readVersions([message]))
  return suspendableChange(runtime, (tx) => deliverReminder(tx, Number(key), bodies?.get(message!.id)))
}
