import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { integer, pathInteger } from '../../api/parameter-types.ts'
import { digest } from '../../api/step-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { secretText } from '../../core/secret-text.ts'
import { changeApiKey } from '../../model/accounts/login/api-key.ts'
import type { Caller } from '../../model/caller.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import { PRESENCE } from '../../model/presence/presence-memory.ts'
import { dropAllDevices } from '../../model/push/prune-devices.ts'
import { endBrowserSession, endBrowsers, endPolls } from '../../model/users/login/sessions.ts'
import {
  deleteBrowserSession as deleteRow,
  findBrowserSession,
  listBrowserSessions,
} from '../../store/browser-sessions/browser-session-rows.ts'
import { findLoginProvider, type LoginProvider } from '../../store/login-providers/login-provider-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'

/** Lists the browsers in which the caller is logged in, newest first. Parley's own. */
export const getBrowserSessionsEndpoint = defineEndpoint({
  operation: 'get-browser-sessions',
  route: 'GET /browser_sessions',
  access: 'human',
  returns: v.object({
    sessions: v.array(
      v.object({
        id: integer,
        user_agent: v.string(),
        began_at: integer,
        used_at: integer,
        is_current: v.boolean(),
      }),
    ),
  }),
  query(view, { user, source }) {
    const own =
      source.session === undefined ? undefined : findBrowserSession(view.sql, source.session, view.now)
    return {
      sessions: listBrowserSessions(view.sql, user.id, view.now).map((session) => ({
        id: session.id,
        user_agent: session.userAgent,
        began_at: session.beganAt,
        used_at: session.usedAt,
        is_current: session.id === own?.id,
      })),
    }
  },
})

/** Logs out one of the caller's browsers. Parley's own. */
export const deleteBrowserSessionEndpoint = defineEndpoint({
  operation: 'delete-browser-session',
  route: 'DELETE /browser_sessions/:session_id',
  access: 'human',
  params: { session_id: pathInteger },
  apply: deleteBrowserSession,
  audit: 'own',
})

function deleteBrowserSession(
  tx: RealmTransaction,
  { user }: Caller,
  { session_id }: { readonly session_id: number },
): void {
  if (!deleteRow(tx.sql, user.id, session_id)) throw new BadRequestError('No such session')
  // It is unknown which poll belongs to which session, so all of them reconnect.
  endPolls(tx, user.id)
}

/**
 * Logs the caller out everywhere else: other browsers, and apps and programs with the key, which is replaced. A caller with the key gets
 * the new one. Parley's own.
 */
export const logOutElsewhereEndpoint = defineEndpoint({
  operation: 'log-out-elsewhere',
  route: 'DELETE /browser_sessions',
  access: 'human',
  madeInCopies: true,
  needsProof: true,
  returns: v.object({ api_key: v.optional(secretText()) }),
  apply(tx, { user, source }) {
    endBrowsers(tx, user.id, source.session)
    dropAllDevices(tx, user.id)
    const apiKey = changeApiKey(tx, user)
    mailCredentialChange(tx, user, source, 'apiKey')
    return source.session === undefined ? { api_key: apiKey } : {}
  },
  audit: ({ actorId }) => ({ action: 'key_renewed', details: { user_id: actorId } }),
  // The key of the request is no longer valid.
  idempotency: 'harmless',
})

/** The provider whose session ends with that of the browser; null without one. */
export interface EndedSession {
  readonly provider: Pick<LoginProvider, 'issuer' | 'clientId' | 'slug'> | null
}

/** Logs a browser out. The token's owner may, even with a closed account; an unknown token has no effect. */
export const endBrowserSessionStep = defineStep({
  operation: 'end-browser-session',
  access: 'anyone',
  madeInCopies: true,
  params: { digest },
  apply(tx, _anyone, { digest }): EndedSession {
    const providerId = endBrowserSession(tx, digest)
    const provider = providerId === null ? undefined : findLoginProvider(tx.sql, providerId)
    if (!provider?.endsSession || provider.preset === 'github') return { provider: null }
    const { issuer, clientId, slug } = provider
    return { provider: { issuer, clientId, slug } }
  },
  audit: 'own',
})

/** Facts that a web client's page gets in addition to its snapshot. */
export interface PageFacts {
  readonly realm_name: string
  readonly default_language: string
  readonly color_scheme: number
  /** Time of the reader's last activity anywhere, in UNIX seconds, or null. */
  readonly furthest_read_time: number | null
}

/** Gets the page's facts about the organization and the user. Source: docs/interface/browsers.md#page-parameters. */
export const getPageFactsStep = defineStep({
  operation: 'get-page-facts',
  access: 'human',
  madeInCopies: true,
  apply: (tx, { user }): PageFacts => ({
    realm_name: realmProperty(tx.sql, 'name'),
    default_language: userSetting(user, 'default_language'),
    color_scheme: userSetting(user, 'color_scheme'),
    furthest_read_time: tx.recall(PRESENCE).of(user.id)?.activeAt ?? null,
  }),
  audit: 'read-only',
})
