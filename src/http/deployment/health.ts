import { INTERFACE_VERSION } from '../../core/call.ts'
import { dailyLimitOf } from '../../core/daily-limits.ts'
import { ApiError, ServiceUnavailableError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import type { MetLimit } from '../../core/met-limit.ts'
import { farTrip } from '../../core/request-record.ts'
import { canSeal } from '../../core/sealed-secret.ts'
import { DAY } from '../../core/time.ts'
import { withinTime } from '../../core/within-time.ts'
import { VERSION } from '../../model/server/version.ts'
import type { RealmHealth } from '../../realm/realm-health.ts'
import {
  bodyDatabaseName,
  listBodyDatabases,
  measureDatabase,
  nextDatabaseAt,
} from '../../store/d1/body-databases.ts'
import { bucketOf } from '../../store/d1/bucket.ts'
import { readApplied } from '../../store/d1/projection.ts'
import { measureD1, probeRealms } from '../../store/d1/realms.ts'
import { whenReachable } from '../request/call-realm.ts'
import { type Environment, realmObject } from '../request/environment.ts'
import { findRealm } from '../request/find-realm.ts'
import { jurisdictionOf } from '../request/realm-location.ts'
import { respondDocument, respondError, respondNotFound, respondSuccess } from '../request/respond.ts'
import { hasOperatorToken } from './operator-token.ts'

/**
 * GET /health, for monitoring: 200 while the Worker runs and reaches D1, else 503. With `deep` it says more to callers with the
 * deployment's token; for others that path does not exist.
 */
export async function respondHealth(request: Request, env: Environment): Promise<Response> {
  if (new URL(request.url).searchParams.has('deep')) {
    if (!hasOperatorToken(request, env)) return respondNotFound()
    return respondDeepHealth(request, env)
  }
  try {
    await withinTime(HEALTH_PATIENCE_MS, probeRealms(env.DB))
    return respondSuccess({})
  } catch (error) {
    log('error', 'D1 cannot be reached', { error })
    return respondError(dailyLimitOf(error) ?? new ServiceUnavailableError())
  }
}

/** Delay in seconds that signals a fault: D1 normally gets an entry within seconds, and a job runs when it is due. */
const LATE_SECONDS = 300

/** Time after which a silent part counts as unreachable: monitors wait about ten seconds. */
const HEALTH_PATIENCE_MS = 4_000

/** Facts about one store or object, or the note that it does not answer. */
type Looked<Facts> =
  | ({ readonly reachable: true; readonly answered_in_ms: number } & Facts)
  | {
      readonly reachable: false
      /** The sentence of the limit of the platform that keeps it from answering. */
      readonly limit_reached?: string
    }

/**
 * GET /health?deep=1: the state of D1, R2 and the organization at this host, in figures. 503 when a required part is unreachable or lags
 * too far; `problems` lists the causes, and `notes` other facts worth knowing.
 */
async function respondDeepHealth(request: Request, env: Environment): Promise<Response> {
  const [d1, texts, r2, organization] = await Promise.all([
    look('D1', () => measureD1(env.DB)),
    lookAtTexts(env),
    look('R2', async () => {
      await bucketOf(env).head('health')
      return {}
    }),
    lookAtOrganization(new URL(request.url), env),
  ])
  const problems = [
    ...(d1.reachable ? [] : [silent('D1', d1)]),
    ...texts.flatMap((one) => (one.reachable ? [] : [silent(one.name, one)])),
    ...(r2.reachable ? [] : [silent(env.UPLOADS ? 'R2' : 'What D1 has of files', r2)]),
    ...(organization ? problemsOf(organization) : []),
  ]
  const lacksKey = !canSeal(env)
  const isKeyNeeded = organization?.reachable === true && organization.needs_secrets_key
  if (lacksKey && isKeyNeeded) problems.push('SECRETS_KEY is missing, which opens what people log in with')
  const healthy = problems.length === 0
  const newest = texts.at(-1) ?? { name: 'D1', ...d1 }
  const isFilling = newest.reachable && newest.size_bytes >= nextDatabaseAt(env)
  const notes = [
    ...(isFilling
      ? [`${newest.name} is two thirds full: npm run deploy binds a further D1 database for texts`]
      : []),
    ...(organization ? notesOf(organization) : []),
    ...(lacksKey && !isKeyNeeded
      ? ['SECRETS_KEY is missing: nobody can set up log-in providers or authenticator apps']
      : []),
  ]
  const msg = problems.join('; ')
  const body = { result: healthy ? 'success' : 'error', msg, version: VERSION, problems, notes }
  const jurisdiction = jurisdictionOf(env)
  const response = respondDocument({
    ...body,
    // The Cloudflare data centre that served this request.
    worker: { colo: (request.cf?.colo as string | undefined) ?? null },
    d1: { ...d1, jurisdiction },
    // The databases besides `DB`.
    d1_for_texts: texts,
    r2: { ...r2, jurisdiction },
    organization,
  })
  return healthy ? response : new Response(response.body, { status: 503, headers: response.headers })
}

/** Reads the databases of bodies other than `DB`, the newest last. */
function lookAtTexts(env: Environment) {
  const all = listBodyDatabases(env).slice(1)
  return Promise.all(
    all.map(async ({ number, db }) => {
      const name = bodyDatabaseName(number)
      return { name, ...(await look(name, () => measureDatabase(db))) }
    }),
  )
}

type OrganizationHealth = Looked<RealmHealth> & {
  readonly host: string
  /**
   * The location and jurisdiction requested when the object was made; null means near its founder, and in no particular jurisdiction.
   * Monitors read it by this name.
   */
  readonly place: { readonly location: string | null; readonly jurisdiction: string | null }
  /** Whether the object belongs to another organization because D1 has reused its id: then no facts about it are shown. */
  readonly is_other: boolean
  readonly d1_cursor: number | null
}

/** Reads the health of the organization at the host; null without one, or when D1 cannot tell. */
async function lookAtOrganization(url: URL, env: Environment): Promise<OrganizationHealth | null> {
  const realm = await withinTime(HEALTH_PATIENCE_MS, findRealm(env.DB, url)).catch(() => undefined)
  if (!realm) return null
  // D1 is asked first, so that the object is never behind its answer.
  const d1_cursor = await withinTime(HEALTH_PATIENCE_MS, readApplied(env.DB, realm.id)).catch(() => null)
  let [isGone, is_other] = [false, false]
  const looked = await look('The realm object', () =>
    whenReachable(true, async () => {
      const health = (await realmObject(env, realm).health(INTERFACE_VERSION, realm.host)) as
        | RealmHealth
        | 'unreadable'
        | null
        | undefined
      if (health === 'unreadable') throw new ServiceUnavailableError()
      isGone = health === undefined
      is_other = health === null
      return health as RealmHealth
    }),
  )
  if (isGone) return null
  const { host, location, jurisdiction } = realm
  const place = { location, jurisdiction }
  return is_other
    ? { host, place, is_other, d1_cursor: null, reachable: false }
    : { host, place, is_other, d1_cursor: d1_cursor ?? null, ...looked }
}

function problemsOf(organization: OrganizationHealth): string[] {
  if (organization.is_other) return ['The realm object is another organization’s: D1 has given its id again']
  if (!organization.reachable) return [silent('The realm object', organization)]
  const { tail, jobs, log: entries, is_nearly_full, d1_cursor } = organization
  return thatAre([
    [(tail.oldest_age_s ?? 0) > LATE_SECONDS, 'D1 is behind the log for more than five minutes'],
    [tail.is_full, 'D1 lacks so much that nothing can be sent'],
    [is_nearly_full.object, 'The realm object is nearly full'],
    [is_nearly_full.d1, 'D1 is nearly full'],
    [(jobs.oldest?.overdue_s ?? 0) > LATE_SECONDS, 'A job is overdue for more than five minutes'],
    [d1_cursor !== null && d1_cursor > entries.newest_id, 'D1 is ahead of the object'],
  ])
}

/** Says that something does not answer, and why if the platform has said so. */
function silent(what: string, { limit_reached: limit }: { readonly limit_reached?: string }): string {
  return limit === undefined ? `${what} cannot be reached` : `${what} cannot be reached. ${limit}`
}

/** Lists facts worth knowing that do not make the deployment unhealthy, such as a dead letter for a member's deleted webhook. */
function notesOf(organization: OrganizationHealth): string[] {
  if (!organization.reachable) return []
  const { restored, dead_letters, limit, log: entries } = organization
  return thatAre([
    [restored?.kind === 'behind', 'D1 was restored from a copy'],
    [restored?.kind === 'ahead', 'The realm object was restored from a copy'],
    [
      typeof restored?.lost_up_to === 'number',
      'What D1 had before it was restored could not all be sent again',
    ],
    [entries.refused_entries > 0, 'D1 has refused entries of the log'],
    [isRecent(limit), limitNote(limit)],
    [dead_letters > 0, 'Something was given up, and can be tried again'],
  ])
}

/** Seconds for which a limit that was met is worth knowing. */
const LIMIT_NOTED_SECONDS = 7 * DAY

function isRecent(limit: MetLimit | null): boolean {
  return limit !== null && Date.now() / 1_000 - limit.last < LIMIT_NOTED_SECONDS
}

function limitNote(limit: MetLimit | null): string {
  if (!limit) return ''
  const [since, last] = [limit.since, limit.last].map((at) => new Date(at * 1_000).toISOString().slice(0, 16))
  const what = limit.code === 'DAILY_LIMIT_REACHED' ? 'The free plan’s day' : 'What the account may spend'
  return `${what} was used up: from ${since} to ${last} UTC, ${limit.refused} requests were refused`
}

function thatAre(all: readonly (readonly [is: boolean, what: string])[]): string[] {
  return all.filter(([is]) => is).map(([, what]) => what)
}

async function look<Facts extends object>(what: string, ask: () => Promise<Facts>): Promise<Looked<Facts>> {
  const began = Date.now()
  try {
    const facts = await withinTime(HEALTH_PATIENCE_MS, farTrip(ask))
    return { reachable: true, answered_in_ms: Date.now() - began, ...facts }
  } catch (error) {
    const limit = dailyLimitOf(error)
    if (limit) return { reachable: false, limit_reached: limit.message }
    if (!(error instanceof ApiError)) log('error', `${what} cannot be reached`, { error })
    return { reachable: false }
  }
}
