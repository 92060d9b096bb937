import { type Counts, sample } from '../../core/metrics.ts'
import { type Figures, PROMETHEUS_TYPE, prometheusText } from '../../core/prometheus.ts'
import { VERSION } from '../../model/server/version.ts'
import { bodyDatabaseName, listBodyDatabases, measureDatabase } from '../../store/d1/body-databases.ts'
import { listNotedUsage, sumNotedUsage } from '../../store/d1/organization-usage.ts'
import { measureD1 } from '../../store/d1/realms.ts'
import type { Environment } from '../request/environment.ts'
import { respondFailure } from '../request/respond.ts'
import { NEVER_CACHE } from '../request/security-headers.ts'
import { hasOperatorToken } from './operator-token.ts'

/** Organizations that have figures of their own. With more, Prometheus would keep too many series, and gets the sums of all. */
const MAX_LABELLED = 200

/** Milliseconds for which the sums are not read again, since D1 reads a row for each figure of each organization. */
const SUMS_KEPT_MS = 300_000

/**
 * GET /metrics: figures of the deployment and its organizations in Prometheus' format, for callers with the deployment's token; for others
 * that path does not exist. They are what the objects last noted in D1: no object wakes (docs/metrics.md).
 */
export async function respondMetrics(request: Request, env: Environment): Promise<Response | undefined> {
  if (!hasOperatorToken(request, env)) return undefined
  try {
    const [deployment, organizations] = await Promise.all([figuresOfDeployment(env), figuresNoted(env)])
    const counts = { ...deployment, organizations_noted: organizations.count }
    const text = prometheusText([{ counts }, ...organizations.figures])
    return new Response(text, { headers: { 'Content-Type': PROMETHEUS_TYPE, 'Cache-Control': NEVER_CACHE } })
  } catch (error) {
    return respondFailure('metrics', error)
  }
}

async function figuresOfDeployment(env: Environment): Promise<Counts> {
  const [{ size_bytes, organizations }, ...others] = await Promise.all([
    measureD1(env.DB),
    ...listBodyDatabases(env)
      .slice(1)
      .map(async ({ number, db }) => ({ name: bodyDatabaseName(number), ...(await measureDatabase(db)) })),
  ])
  return {
    [sample('info', { version: VERSION })]: 1,
    organizations,
    [sample('d1_bytes', { database: 'DB' })]: size_bytes,
    ...Object.fromEntries(
      others.map((other) => [sample('d1_bytes', { database: other.name }), other.size_bytes]),
    ),
  }
}

interface NotedFigures {
  readonly count: number
  readonly figures: readonly Figures[]
}

/** The sums of many organizations, for each environment. */
const sums = new WeakMap<Environment, NotedFigures & { readonly at: number }>()

async function figuresNoted(env: Environment): Promise<NotedFigures> {
  const known = sums.get(env)
  if (known && Date.now() - known.at < SUMS_KEPT_MS) return known
  const each = await listNotedUsage(env.DB, MAX_LABELLED + 1)
  if (each.length <= MAX_LABELLED) {
    return {
      count: each.length,
      figures: each.map(({ host, figures }) => ({ realm: host, counts: figures })),
    }
  }
  const { organizations, figures } = await sumNotedUsage(env.DB)
  // These sums say nothing.
  const { noted_timestamp_seconds: _times, deployment_month_dollars: _common, ...summed } = figures
  const noted = { count: organizations, figures: [{ counts: summed }], at: Date.now() }
  sums.set(env, noted)
  return noted
}
