/**
 * `npm run organizations` lists all organizations of a deployment with some figures, from D1 alone: no object wakes. A deployment gives the
 * same list over HTTP, for its token (docs/operations.md#all-organizations).
 */
import { parseArgs } from 'node:util'
import {
  isSorting,
  type ListedOrganization,
  ORGANIZATION_COLUMNS,
  organizationsStatement,
} from '../src/store/d1/organizations.ts'
import { buildWorker } from './build.ts'
import { remoteD1 } from './cloudflare-account.ts'
import { withLocalD1 } from './local-server.ts'
import { exitWithError } from './project.ts'
import { chosenStateDir } from './state-folder.ts'

const USAGE = `Usage: npm run organizations
  --sort COLUMN      ${ORGANIZATION_COLUMNS.join(', ')}; with a - before it (--sort=-people) downwards
  --json             as JSON
  --remote           of what \`npm run deploy\` put online, not of the local state folder
  --deployment NAME  the one of \`npm run deploy -- --name NAME\`, with --remote`

const HEAD = [
  'host',
  'name',
  'founded',
  'people',
  'active',
  'guests',
  'owners',
  'bots',
  'last activity',
  'texts',
  'place',
]
/** Columns of numbers, which are aligned to the right. */
const NUMBERS = new Set(['people', 'active', 'guests', 'owners', 'bots', 'texts'])

function cellsOf(organization: ListedOrganization): string[] {
  const { host, name, founded_at, last_active_on, location, jurisdiction, is_closed } = organization
  const { people, active_people, guests, owners, bots, texts } = organization
  const count = (value: number | null) => (value === null ? '?' : String(value))
  const place = [location, jurisdiction].filter((where) => where !== null).join(', ')
  return [
    host,
    is_closed ? `${name} (closed)` : name,
    new Date(founded_at * 1_000).toISOString().slice(0, 10),
    ...[people, active_people, guests, owners, bots].map(count),
    last_active_on ?? '',
    count(texts),
    place,
  ]
}

/** Returns the lines of a table. */
function tableOf(organizations: readonly ListedOrganization[]): string[] {
  const rows = [HEAD, ...organizations.map(cellsOf)]
  const widths = HEAD.map((_, at) => rows.reduce((widest, row) => Math.max(widest, row[at]!.length), 0))
  return rows.map((row) =>
    row
      .map((cell, at) => (NUMBERS.has(HEAD[at]!) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd(),
  )
}

async function listLocally(statement: string): Promise<ListedOrganization[]> {
  const bundle = await buildWorker('local')
  return withLocalD1(bundle, chosenStateDir(), async (database) => {
    const { results } = await database.prepare(statement).all<ListedOrganization>()
    return results
  })
}

async function listRemotely(deployment: string, statement: string): Promise<readonly ListedOrganization[]> {
  const { results } = (await remoteD1(deployment)(statement)) as { results: readonly ListedOrganization[] }
  return results
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sort: { type: 'string', default: 'host' },
      json: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
      deployment: { type: 'string', default: 'parley' },
    },
  })
  const { sort, json, remote, deployment } = values
  if (!isSorting(sort)) throw new Error(USAGE)
  const statement = organizationsStatement(sort, Date.now() / 1_000)
  const organizations = remote ? await listRemotely(deployment, statement) : await listLocally(statement)
  if (json) console.log(JSON.stringify(organizations, undefined, 2))
  else console.log(tableOf(organizations).join('\n'))
}

if (import.meta.main) await main().catch(exitWithError)
