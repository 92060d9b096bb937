import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { mailCredentialChange } from '../emails/account-mails.ts'
import { dropAllDevices } from '../push/settle-devices.ts'
import { changeApiKey } from '../users/login/change-api-key.ts'
import { endBrowsers } from '../users/login/end-sessions.ts'

/**
 * Logs the caller out everywhere but here: other browsers, and the apps and programs that have the key, which is replaced. Who calls with the
 * key gets the new one. Parley's own.
 */
export const logOutElsewhere: Command<Caller, unknown, void, { readonly api_key?: string }> = {
  apply(tx, { user, source }) {
    endBrowsers(tx, user.id, source.session)
    dropAllDevices(tx, user.id)
    const apiKey = changeApiKey(tx, user)
    mailCredentialChange(tx, user, source, 'apiKey')
    return source.session === undefined ? { api_key: apiKey } : {}
  },
}
