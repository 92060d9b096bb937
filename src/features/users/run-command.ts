import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { PROSE_LENGTH } from '../../api/input-limits.ts'
import { jsonInteger, trimmedTextUpTo, word } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { createReminder } from '../../model/reminders/create-reminder.ts'
import { changeUserSetting } from '../../model/users/settings/change-user-setting.ts'
import { canonicalTimezone } from '../../store/users/settings/timezones.ts'
import type { User } from '../../store/users/user-rows.ts'
import { readTypedReminder } from './typed-reminder.ts'

/** A command that a user has typed, like `/ping`, `/dark` or `/remind 2h`. Source: docs/interface/users.md#commands. */
export const runCommandEndpoint = defineEndpoint({
  operation: 'run-command',
  method: 'POST',
  path: '/zcommand',
  access: 'user',
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
  command: { apply: runCommand },
  audit: 'own',
})

const DARK = 2

const LIGHT = 3

/** Commands that a user can type in the compose box instead of opening the settings, and that a bot can send. */
const COMMANDS = new Map<string, (tx: RealmTransaction, user: User) => void>([
  ['/ping', () => {}],
  ['/dark', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', DARK)],
  ['/night', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', DARK)],
  ['/light', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', LIGHT)],
  ['/day', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', LIGHT)],
  ['/fluid-width', (tx, user) => void changeUserSetting(tx, user, 'fluid_layout_width', true)],
  ['/fixed-width', (tx, user) => void changeUserSetting(tx, user, 'fluid_layout_width', false)],
])

/** Whether a command makes a reminder. */
function isReminder(command: string): boolean {
  return /^\/remind(?=\s|$)/.test(command)
}

interface RunCommandParams {
  readonly command: string
  /** The message of a reminder. */
  readonly message_id?: number
  /** Of the times in a reminder. */
  readonly timezone?: string
}

/** Of a reminder; otherwise empty. */
interface CommandAnswer {
  readonly reminder_id?: number
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp?: number
}

/**
 * Carries out a command of one's own clients. The answer is empty but for a reminder, since an event announces a changed
 * setting. Source: docs/interface/users.md#commands.
 */
function runCommand(tx: RealmTransaction, caller: Caller, params: RunCommandParams): CommandAnswer {
  const { command } = params
  if (isReminder(command)) return remind(tx, caller, command.slice('/remind'.length), params)
  if (!command.startsWith('/')) throw new BadRequestError('There should be a leading slash in the zcommand.')
  const run = COMMANDS.get(command)
  if (!run) throw new BadRequestError(`No such command: ${command.slice(1)}`)
  run(tx, caller.user)
  return {}
}

function remind(
  tx: RealmTransaction,
  caller: Caller,
  asked: string,
  params: RunCommandParams,
): CommandAnswer {
  const { message_id, timezone = caller.user.timezone } = params
  const zone = canonicalTimezone(timezone) ?? 'UTC'
  const typed = readTypedReminder(asked, tx.now, zone)
  if (!typed)
    throw new BadRequestError('Say when: /remind 30m, /remind tomorrow 9:00 or /remind monday, and of what.')
  if (message_id === undefined)
    throw new BadRequestError('A reminder is of a message: message_id is missing.')
  const { at: scheduled_delivery_timestamp, note } = typed
  const reminder = { message_id, scheduled_delivery_timestamp, note }
  return { ...createReminder.apply(tx, caller, reminder), scheduled_delivery_timestamp }
}
