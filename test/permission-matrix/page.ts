import type { Endpoint } from '../../src/endpoints/define-endpoint.ts'
import {
  ACCOUNTS,
  ACTORS,
  type Actor,
  BY_PLACE,
  OF_PLACE,
  PEOPLE,
  PLACES,
  PLACES_OF,
  type Place,
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
    '## Where',
    '',
    'Rows of *channels* are asked at the first six of these places, rows of *conversations* at the last two, rows of *messages* at all.',
    '',
    ...table(['', ''], Object.entries(PLACES)),
    '',
    '## What somebody is',
    '',
    ...table(
      ['', 'means', 'who'],
      Object.entries(PEOPLE).map(([word, { who, means }]) => [word, means, names(who)]),
    ),
    '',
    '## What a place is to somebody',
    '',
    ...table(
      ['', 'means', ...PLACES_OF.messages],
      [
        ...Object.entries(BY_PLACE).map(([word, at]) => [
          word,
          at.means,
          ...PLACES_OF.messages.map((place) => namesAt(at, place)),
        ]),
        ...Object.entries(OF_PLACE).map(([word, { means, not }]) => [
          word,
          means,
          ...PLACES_OF.messages.map((place) => (not.some((one) => one === place) ? 'no' : 'yes')),
        ]),
      ],
    ),
    '',
    '## Who may do what',
    '',
    'What is needed is looked at in this order, and the first that is missing is told. Before all of it, whoever has no account here is',
    'refused: *no key*, *account deactivated*, or *key of another host*; only where it says "anybody" nobody is asked for a key. Visitors are',
    'refused with *no key* (files with *not their file*), but where they are named.',
    '',
    ...[...Map.groupBy(rows, ({ section }) => section)].flatMap(([section, found]) => [
      `### ${section}`,
      '',
      ...table(
        ['request', 'at', 'needs'],
        found.map((row) => [nameOf(row, routes), row.places ?? '', needsOf(row)]),
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
  'Who may do what in an organization of Parley, request by request. This page is made by `npm run permissions` from the table in',
  '`test/permission-matrix/table.ts`, and is not edited by hand. `npm test` asks every row of the server, as everybody who is named',
  'below and at every place, and fails at an answer that is not in the table, at an endpoint that is not in it, and at a refusal that',
  'has changed anything. `npm run test:all` asks them once more as browsers that are logged in, which get the same below `/json`.',
  '',
  'What is hidden from somebody is refused as if it did not exist, in the same words.',
  '',
  'In the organization of this table the rights to make channels, bots, groups and emoji, to invite, to add subscribers and to move',
  'messages between channels are given to full members, and messages may be edited, moved and deleted for an hour; all else is as in a new',
  'organization. Owners may give these rights and many more to other groups. The rows under "After the time limits" are asked two hours later;',
  'where guests see only some people the organization lets members alone see everybody.',
]

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)]
}

/** The shorter of two ways to say it. */
function names(who: readonly Actor[]): string {
  if (who.length === 0) return 'nobody'
  const others = ACCOUNTS.filter((actor) => !who.includes(actor))
  if (others.length === 0) return 'everybody with an account'
  if (others.length < who.length) return `everybody but ${others.join(', ')}`
  return who.join(', ')
}

function namesAt(at: Partial<Record<Place, readonly Actor[]>>, place: Place): string {
  const who = at[place]
  return who ? names(who) : '–'
}

function nameOf(row: Row, routes: ReadonlyMap<string, string>): string {
  if (isVisit(row)) return `\`${row.operation}\`${row.name.slice(row.operation.length)}`
  return `**${row.name}**<br>\`${routes.get(row.operation)}\``
}

function needsOf({ isOpen, needs, shows, visitors }: Row): string {
  const told = needs.map(({ words, refusal }) =>
    words.join() === 'nobody' ? `always *${refusal}*` : `${words.join(' or ')}, else *${refusal}*`,
  )
  const shown = shows === undefined ? [] : [`shows it to whoever ${shows.join(' or ')}`]
  const all = [...told, ...shown]
  const own = all.length === 0 && !isOpen ? ['an account'] : all
  return [...(isOpen ? ['anybody'] : []), ...own, ...(visitors ? [ofVisitors(visitors)] : [])].join('; ')
}

function ofVisitors({ words, refusal }: NonNullable<Row['visitors']>): string {
  if (words.length === 0) return 'visitors'
  if (refusal === undefined) return `visitors are shown it where it is ${words.join(' or ')}`
  return `visitors where it is ${words.join(' or ')}, else *${refusal}*`
}
