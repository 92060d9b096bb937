import { DAY, dayOf } from '../../core/time.ts'
import { readPatiently } from './ask-d1.ts'

/** What the operator sees of an organization, from D1 alone. Counts are null while D1 does not have its accounts. */
export interface ListedOrganization {
  readonly host: string
  readonly name: string
  /** UNIX seconds. */
  readonly founded_at: number
  /** People with open accounts; those who were active within 30 days; guests and owners among all of them. */
  readonly people: number | null
  readonly active_people: number | null
  readonly guests: number | null
  readonly owners: number | null
  /** Open bots. */
  readonly bots: number | null
  /** The day of the last message or activity, as of the last night; null: none yet. */
  readonly last_active_on: string | null
  /** Number of messages, as of the last night; null: not counted yet. */
  readonly texts: number | null
  readonly location: string | null
  readonly jurisdiction: string | null
  /** 1: an owner has closed it. */
  readonly is_closed: number
  /** When its data is to be deleted (UNIX seconds); null: never. */
  readonly delete_after: number | null
}

const ACTIVE_DAYS = 30

/** The columns by which the list is sorted, with the names that it gives them. */
export const ORGANIZATION_COLUMNS = [
  'host',
  'name',
  'founded_at',
  'people',
  'active_people',
  'guests',
  'owners',
  'bots',
  'last_active_on',
  'texts',
  'location',
  'jurisdiction',
  'is_closed',
  'delete_after',
] as const satisfies readonly (keyof ListedOrganization)[]

/** Whether the list can be sorted by this: a column, or with a `-` before it, downwards. */
export function isSorting(sorting: string): boolean {
  return ORGANIZATION_COLUMNS.some((column) => column === sorting.replace(/^-/, ''))
}

/**
 * Returns the statement that lists all organizations, without parameters, so that a command can send it as a text. It reads each account once
 * and wakes no object.
 * @param sorting `isSorting` holds for it
 * @param now UNIX seconds
 */
export function organizationsStatement(sorting: string, now: number): string {
  if (!isSorting(sorting)) throw new Error(`${sorting} is no column`)
  const column = sorting.replace(/^-/, '')
  const direction = column === sorting ? 'ASC' : 'DESC'
  const since = dayOf(now - ACTIVE_DAYS * DAY)
  return `SELECT ${ORGANIZATION_COLUMNS.join(', ')} FROM (
      SELECT realm.host, realm.name, realm.created_at AS founded_at, realm.texts, realm.location, realm.jurisdiction,
        realm.is_closed, realm.delete_after, of_realm.people, of_realm.active_people, of_realm.guests, of_realm.owners, of_realm.bots,
        NULLIF(MAX(IFNULL(realm.last_active_on, ''), IFNULL(of_realm.last_active_on, '')), '') AS last_active_on
      FROM realm LEFT JOIN (
        SELECT realm_id, SUM(kind = 'person') AS people,
          SUM(kind = 'person' AND IFNULL(last_active_on, '') >= '${since}') AS active_people,
          SUM(kind = 'person' AND role = 600) AS guests, SUM(kind = 'person' AND role = 100) AS owners,
          SUM(kind <> 'person') AS bots, MAX(last_active_on) AS last_active_on
        FROM account WHERE is_active = 1 GROUP BY realm_id
      ) AS of_realm ON of_realm.realm_id = realm.id
      WHERE realm.host NOT LIKE 'given up: %'
    ) ORDER BY ${column} IS NULL, ${column} ${direction}, host`
}

export async function listOrganizations(
  db: D1Database,
  sorting: string,
  now: number,
): Promise<readonly ListedOrganization[]> {
  const query = db.prepare(organizationsStatement(sorting, now))
  const { results } = await readPatiently(() => query.all<ListedOrganization>())
  return results
}
