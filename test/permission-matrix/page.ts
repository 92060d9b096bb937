import type { Endpoint } from '../support/inside-declarations.ts'
import {
  ACCOUNTS,
  ACTORS,
  type Actor,
  BY_DESTINATION,
  DESTINATIONS,
  DESTINATIONS_OF,
  type Destination,
  OF_DESTINATION,
  PEOPLE,
} from './cast.ts'
import { isVisit, type Row, readTable } from './read-table.ts'
import { REFUSALS } from './refusals.ts'

/** docs/permissions.md, as the table says it. */
export function permissionsPage(endpoints: readonly Endpoint[]): string {
  const rows = readTable()
  const routes = new Map(
    endpoints.flatMap(({ operation, method, path, belowJson }): [string, string][] => [
      [operation, `${method} ${path}`],
      ...(belowJson ? [[belowJson.operation, `${method} /json${path}`] as [string, string]] : []),
    ]),
  )
  return [
    '# Permissions',
    '',
    ...PREFACE,
    '',
    '## Who asks',
    '',
    ...table(['', ''], Object.entries(ACTORS)),
    '',
    '## Destinations',
    '',
    'Requests at *channels* are made for the first six of these destinations, those at *conversations* for the last two, and those at *messages* for all of them.',
    '',
    ...table(['', ''], Object.entries(DESTINATIONS)),
    '',
    '## Kinds of callers',
    '',
    ...table(
      ['', 'means', 'who'],
      Object.entries(PEOPLE).map(([word, { who, means }]) => [word, means, names(who)]),
    ),
    '',
    '## Callers and destinations',
    '',
    ...table(
      ['', 'means', ...DESTINATIONS_OF.messages],
      [
        ...Object.entries(BY_DESTINATION).map(([word, at]) => [
          word,
          at.means,
          ...DESTINATIONS_OF.messages.map((destination) => namesAt(at, destination)),
        ]),
        ...Object.entries(OF_DESTINATION).map(([word, { means, not }]) => [
          word,
          means,
          ...DESTINATIONS_OF.messages.map((destination) =>
            not.some((one) => one === destination) ? 'no' : 'yes',
          ),
        ]),
      ],
    ),
    '',
    '## Who may do what',
    '',
    'Requirements are checked in the order of the last column, and the first one that is not met decides the refusal. Before all of them, callers',
    'without an account here are refused: *no key*, *account deactivated*, or *key of another host*. Only where the column says "anybody" no key',
    'is needed. Visitors are refused with *no key* (for files with *not their file*), except where the column names them.',
    '',
    ...[...Map.groupBy(rows, ({ section }) => section)].flatMap(([section, found]) => [
      `### ${section}`,
      '',
      ...table(
        ['request', 'at', 'needs'],
        found.map((row) => [nameOf(row, routes), row.destinations ?? '', needsOf(row)]),
      ),
      '',
    ]),
    '## Refusals',
    '',
    ...table(
      ['', 'status', 'code', 'text'],
      Object.entries(REFUSALS).map(([name, { status, code, msg }]) => [name, String(status), code, msg]),
    ),
    '',
  ].join('\n')
}

const PREFACE = [
  'This page says who may do what in an organization of Parley, request by request. `npm run permissions` generates it from the table in',
  '`test/permission-matrix/table.ts`. `npm run test:all` makes every request as every caller below and for every destination, with a key and again as',
  'a logged-in browser, which gets the same answers; `npm run test:large` makes it as two of the callers that a row answers alike. Both fail if an answer',
  'differs from the table, if an endpoint is missing from it, or if a refused request has changed anything.',
  '',
  'Hidden things are refused as if they did not exist, in the same words.',
  '',
  'The organization of this table has the settings of a new one, with these exceptions:',
  '',
  '- Only full members may create channels, bots, groups and emoji, invite, add subscribers, and move messages between channels. Owners may',
  '  give these rights and many more to other groups.',
  '- Messages may be edited, moved and deleted for an hour. Requests under "After the time limits" are made two hours later.',
  '- Under "Where guests see only some people", only members may see everybody.',
]

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)]
}

/** Returns the shorter one of two ways to say it. */
function names(who: readonly Actor[]): string {
  if (who.length === 0) return 'nobody'
  const others = ACCOUNTS.filter((actor) => !who.includes(actor))
  if (others.length === 0) return 'everybody with an account'
  if (others.length < who.length) return `everybody but ${others.join(', ')}`
  return who.join(', ')
}

function namesAt(at: Partial<Record<Destination, readonly Actor[]>>, destination: Destination): string {
  const who = at[destination]
  return who ? names(who) : '–'
}

function nameOf(row: Row, routes: ReadonlyMap<string, string>): string {
  if (isVisit(row)) return `\`${row.operation}\`${row.name.slice(row.operation.length)}`
  return `**${row.name}**<br>\`${routes.get(row.operation)}\``
}

function needsOf({ isOpen, needs, shows, visitors }: Row): string {
  const sentences = needs.map(({ words, refusal }) =>
    words.join() === 'nobody' ? `always *${refusal}*` : `${words.join(' or ')}, else *${refusal}*`,
  )
  const shown = shows === undefined ? [] : [`shown only to: ${shows.join(' or ')}`]
  const all = [...sentences, ...shown]
  const own = all.length === 0 && !isOpen ? ['an account'] : all
  return [...(isOpen ? ['anybody'] : []), ...own, ...(visitors ? [ofVisitors(visitors)] : [])].join('; ')
}

function ofVisitors({ words, refusal }: NonNullable<Row['visitors']>): string {
  if (words.length === 0) return 'visitors'
  if (refusal === undefined) return `shown to visitors if it is ${words.join(' or ')}`
  return `visitors if it is ${words.join(' or ')}, else *${refusal}*`
}
