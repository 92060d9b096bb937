import { fromJson, type JsonText } from '../../core/json.ts'
import type { Counts } from '../../core/metrics.ts'
import { readPatiently } from './ask-d1.ts'

/** The figures of an organization as its object last noted them. */
interface NotedUsage {
  readonly host: string
  readonly figures: Counts
}

/**
 * Notes an organization's figures. They are no part of the log: the next note replaces them, so one that is lost does no harm. Nothing is
 * written for an organization that D1 does not list.
 */
export async function noteUsage(
  db: D1Database,
  { id, host }: { readonly id: number; readonly host: string },
  notedAt: number,
  figures: Readonly<Counts>,
): Promise<void> {
  await db
    .prepare(
      `INSERT INTO organization_usage (realm_id, noted_at, figures)
       SELECT id, ?3, ?4 FROM realm WHERE id = ?1 AND host = ?2
       ON CONFLICT (realm_id) DO UPDATE SET noted_at = excluded.noted_at, figures = excluded.figures`,
    )
    .bind(id, host, Math.floor(notedAt), JSON.stringify(figures))
    .run()
}

/** Lists the figures of the organizations, `limit` at most. */
export async function listNotedUsage(db: D1Database, limit: number): Promise<readonly NotedUsage[]> {
  const query = db
    .prepare(
      `SELECT realm.host, organization_usage.figures FROM organization_usage JOIN realm ON realm.id = realm_id
       ORDER BY realm_id LIMIT ?`,
    )
    .bind(limit)
  const { results } = await readPatiently(() => query.all<{ host: string; figures: JsonText<Counts> }>())
  return results.map(({ host, figures }) => ({ host, figures: fromJson(figures) }))
}

/** Returns the sums of all organizations' figures, and the number of organizations. It reads every row, and their figures in D1 alone. */
export async function sumNotedUsage(
  db: D1Database,
): Promise<{ readonly organizations: number; readonly figures: Counts }> {
  const query = db.prepare(
    `SELECT (SELECT COUNT(*) FROM organization_usage) AS organizations, json_group_object(name, total) AS figures FROM (
       SELECT figure.key AS name, SUM(figure.value) AS total
       FROM organization_usage, json_each(organization_usage.figures) AS figure GROUP BY figure.key
     )`,
  )
  const row = await readPatiently(() => query.first<{ organizations: number; figures: JsonText<Counts> }>())
  return { organizations: row!.organizations, figures: fromJson(row!.figures) }
}

/** Returns what all organizations have cost, by notes since `begin` (UNIX seconds). */
export async function sumMonthDollars(db: D1Database, begin: number): Promise<number> {
  const query = db
    .prepare(`SELECT SUM(figures ->> 'month_dollars') AS dollars FROM organization_usage WHERE noted_at >= ?`)
    .bind(begin)
  return (await query.first<{ dollars: number | null }>())?.dollars ?? 0
}
