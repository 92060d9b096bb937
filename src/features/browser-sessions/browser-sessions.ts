import * as v from 'valibot'
import { defineEndpoint, defineStep, type Operation } from '../../api/define-endpoint.ts'
import { integer, pathInteger } from '../../api/parameter-types.ts'
import { digest } from '../../api/step-types.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Anyone, Caller } from '../../model/caller.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import { PRESENCE } from '../../model/presence/presence-memory.ts'
import { dropAllDevices } from '../../model/push/settle-devices.ts'
import { changeApiKey } from '../../model/users/login/api-key.ts'
import { endBrowsers, endPolls } from '../../model/users/login/end-sessions.ts'
import {
  deleteBrowserSessionWith,
  deleteBrowserSession as deleteRow,
  findBrowserSession,
  listBrowserSessions,
} from '../../store/browser-sessions/browser-session-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'

/** Lists the browsers in which the caller is logged in, newest first. Parley's own. */
const getBrowserSessionsEndpoint = defineEndpoint({
  operation: 'get-browser-sessions',
  method: 'GET',
  path: '/browser_sessions',
  access: 'human',
  params: {},
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
  command: { reads: true, apply: getBrowserSessions },
})

interface PresentedBrowserSession {
  readonly id: number
  readonly user_agent: string
  /** UNIX seconds. */
  readonly began_at: number
  readonly used_at: number
  /** Whether the request comes from this session. */
  readonly is_current: boolean
}

function getBrowserSessions(
  view: RealmReads,
  { user, source }: Caller,
): { sessions: PresentedBrowserSession[] } {
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
}

/** Logs one of the caller's browsers out. Parley's own. */
const deleteBrowserSessionEndpoint = defineEndpoint({
  operation: 'delete-browser-session',
  method: 'DELETE',
  path: '/browser_sessions/:session_id',
  access: 'human',
  params: { session_id: pathInteger },
  returns: v.object({}),
  command: { apply: deleteBrowserSession },
  audit: 'own',
})

function deleteBrowserSession(
  tx: RealmTransaction,
  { user }: Caller,
  { session_id }: { readonly session_id: number },
): object {
  if (!deleteRow(tx.sql, user.id, session_id)) throw new BadRequestError('No such session')
  // It is not known which poll belongs to which session, so all of them reconnect.
  endPolls(tx, user.id)
  return {}
}

/**
 * Logs the caller out everywhere but here: other browsers, and the apps and programs that have the key, which is replaced. Who calls with the
 * key gets the new one. Parley's own.
 */
const logOutElsewhereEndpoint = defineEndpoint({
  operation: 'log-out-elsewhere',
  method: 'DELETE',
  path: '/browser_sessions',
  access: 'human',
  params: {},
  returns: v.object({ api_key: v.optional(v.string()) }),
  command: { apply: logOutElsewhere },
  audit: ({ actorId }) => ({ action: 'key_renewed', details: { user_id: actorId } }),
  // The key that has asked for it is no longer good.
  idempotency: 'harmless',
})

function logOutElsewhere(tx: RealmTransaction, { user, source }: Caller): { readonly api_key?: string } {
  endBrowsers(tx, user.id, source.session)
  dropAllDevices(tx, user.id)
  const apiKey = changeApiKey(tx, user)
  mailCredentialChange(tx, user, source, 'apiKey')
  return source.session === undefined ? { api_key: apiKey } : {}
}

/** Logs a browser out. The owner of the token may, even of a closed account; an unknown token ends nothing. */
export const endBrowserSessionStep = defineStep({
  operation: 'end-browser-session',
  access: 'anyone',
  params: { digest },
  command: { apply: endBrowserSession },
  audit: 'own',
})

function endBrowserSession(
  tx: RealmTransaction,
  _anyone: Anyone,
  { digest }: { readonly digest: string },
): object {
  const userId = deleteBrowserSessionWith(tx.sql, digest)
  // It is not known which poll belongs to which session, so all of them reconnect.
  if (userId !== undefined) endPolls(tx, userId)
  return {}
}

/** Facts that the page of a web client gets besides its snapshot. */
export interface PageFacts {
  readonly realm_name: string
  readonly default_language: string
  readonly color_scheme: number
  /** Time at which the reader was last active anywhere, in UNIX seconds, or null. */
  readonly furthest_read_time: number | null
}

/**
 * Gets the page's facts about the organization, and about the person at the browser. Source:
 * docs/interface/browsers.md#page-parameters.
 */
const getPageFacts: Command<Caller, unknown, void, PageFacts> = {
  apply: (tx, { user }) => ({
    realm_name: realmProperty(tx.sql, 'name'),
    default_language: userSetting(user, 'default_language'),
    color_scheme: userSetting(user, 'color_scheme'),
    furthest_read_time: tx.recall(PRESENCE).of(user.id)?.activeAt ?? null,
  }),
}

export const getPageFactsStep = defineStep({
  operation: 'get-page-facts',
  access: 'human',
  params: {},
  command: getPageFacts,
  audit: 'read-only',
})

export const BROWSER_SESSION_ENDPOINTS = [
  getBrowserSessionsEndpoint,
  deleteBrowserSessionEndpoint,
  logOutElsewhereEndpoint,
]
export const BROWSER_SESSION_STEPS: readonly Operation[] = [endBrowserSessionStep, getPageFactsStep]
