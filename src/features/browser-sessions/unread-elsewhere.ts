import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { integer, json, listUpTo, partsOf, textUpTo } from '../../api/parameter-types.ts'
import { digest } from '../../api/step-types.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { isSameText } from '../../integrations/signatures.ts'
import { unreadOfUser } from '../../model/messages/flags/found-unread.ts'
import { countForTitle } from '../../model/messages/flags/unread-groups.ts'
import { notLoggedIn } from '../../rules/access.ts'
import {
  findBrowserSession,
  findBrowserSessionById,
} from '../../store/browser-sessions/browser-session-rows.ts'
import { realmProperty, requireActiveRealm } from '../../store/realm/realm-setting-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'

/** Organizations that a page asks about at once; it lists no more (web/views/app-shell/organizations-state.ts). */
const MAX_ORGANIZATIONS = 20

/**
 * Returns the numbers of unread messages in other organizations of the deployment, in the order of the list: null for one that does not give
 * it. Each has given the browser a key for that, which is good while the browser is logged in there. Parley's own.
 */
export const getUnreadElsewhereEndpoint = defineEndpoint({
  operation: 'get-unread-elsewhere',
  route: 'POST /organizations/unread',
  access: 'human',
  params: {
    organizations: json(
      listUpTo(MAX_ORGANIZATIONS, partsOf({ url: textUpTo(NAME_LENGTH), key: textUpTo(NAME_LENGTH) })),
    ),
  },
  returns: v.object({ counts: v.array(v.nullable(v.number())) }),
  query: () => ({}),
  async finish(_raw, { organizations }, worker) {
    const asked = new Map<string, Promise<number | null>>()
    const count = (url: string, key: string) => {
      const counted = asked.get(`${url} ${key}`) ?? unreadAt(worker, url, key)
      asked.set(`${url} ${key}`, counted)
      return counted
    }
    return { counts: await Promise.all(organizations.map(({ url, key }) => count(url, key))) }
  },
  idempotency: 'harmless',
  audit: 'read-only',
})

const KEY = /^(\d{1,15})\.([0-9a-f]{64})$/

/** Asks another organization for the number of unread messages of whoever has this key; null where it does not say. */
async function unreadAt(worker: WorkerContext, url: string, key: string): Promise<number | null> {
  const [, session, secret] = KEY.exec(key) ?? []
  if (!session) return null
  const { operation } = countUnreadStep
  const answer = await worker.runElsewhere(url, operation, { session: Number(session), secret })
  return (answer as { readonly count: number } | undefined)?.count ?? null
}

/** What a browser needs to have its unread messages counted for the page of another organization. */
export interface UnreadKey {
  readonly key: string
  /** The organization's name. */
  readonly name: string
}

/**
 * Gives the browser that is logged in a key that opens nothing but the number of its user's unread messages. It follows from the session, so
 * nothing is stored, and it ends with the session.
 */
export const giveUnreadKeyStep = defineStep({
  operation: 'give-unread-key',
  access: 'human',
  query({ sql, now }, { source }): UnreadKey {
    const session = source.session === undefined ? undefined : findBrowserSession(sql, source.session, now)
    if (source.session === undefined || !session) throw notLoggedIn()
    return { key: `${session.id}.${secretOf(source.session)}`, name: realmProperty(sql, 'name') }
  },
  rateLimit: 'user',
  audit: 'read-only',
})

/** Counts the unread messages that a window's title would show. */
export const countUnreadStep = defineStep({
  operation: 'count-unread',
  access: 'anyone',
  params: { session: integer, secret: digest },
  query(view, _anyone, { session: id, secret }): { readonly count: number } {
    const { sql, now } = view
    requireActiveRealm(sql)
    const session = findBrowserSessionById(sql, id, now)
    if (!session || !isSameText(secret, secretOf(session.digest))) throw notLoggedIn()
    const user = findUser(sql, session.userId)!
    return { count: countForTitle(sql, user, view.use(unreadOfUser, user).listed) }
  },
  rateLimit: 'doors',
  audit: 'read-only',
})

function secretOf(sessionDigest: string): string {
  return createHash('sha256').update(`unread ${sessionDigest}`).digest('hex')
}
