import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Caller } from '../../caller.ts'
import type { User } from '../user-rows.ts'
import { changeUserSetting } from './change-user-setting.ts'

const DARK = 2
const LIGHT = 3

/** Commands that a user can type in the compose box instead of opening the settings. */
const COMMANDS = new Map<string, (tx: RealmTransaction, user: User) => void>([
  ['/ping', () => {}],
  ['/dark', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', DARK)],
  ['/night', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', DARK)],
  ['/light', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', LIGHT)],
  ['/day', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', LIGHT)],
  ['/fluid-width', (tx, user) => void changeUserSetting(tx, user, 'fluid_layout_width', true)],
  ['/fixed-width', (tx, user) => void changeUserSetting(tx, user, 'fluid_layout_width', false)],
])

/**
 * Carries out a command of one's own clients. The answer is empty, since an event announces a changed
 * setting. Source: docs/interface/users.md#commands.
 */
export const runCommand: Command<Caller, { readonly command: string }, void, object> = {
  apply(tx, { user }, { command }) {
    const run = COMMANDS.get(command)
    if (!run) throw new BadRequestError(`No such command: ${command}`)
    run(tx, user)
    return {}
  },
}
