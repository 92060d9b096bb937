/** Compares what two builds answered to the same requests. */
import { fromJson } from '../../scripts/json.ts'
import type { Exchange } from './record.ts'

/** Where two answers differ: the place in the answer, and both values as JSON. */
export interface Difference {
  readonly place: string
  readonly before: string
  readonly after: string
}

/** What differs in one exchange, or in the requests of one test. */
export interface DifferentExchange {
  readonly file: string
  readonly test: string
  readonly request: string
  readonly differences: readonly Difference[]
}

export interface Comparison {
  readonly different: readonly DifferentExchange[]
  /** Exchanges that were compared. */
  readonly compared: number
  /** Exchanges of tests that do not make the same requests each time, or are in one recording alone. */
  readonly left: number
}

/** The host that a test gives its organization, and the number that all tests share. */
const OF_RUN: readonly [RegExp, string][] = [
  [/\brealm\d+-[0-9a-f]{8}\b/g, 'realm'],
  [/"realm_id":\d+/g, '"realm_id":0'],
]
const masked = (text: string) =>
  OF_RUN.reduce((result, [pattern, word]) => result.replace(pattern, word), text)

/**
 * Compares the recordings of one test file. What differs between `before` and `again`, two recordings of the same build, is chance: a
 * time, a key, an id that depends on the order of requests. There `after` may differ too.
 */
export function compareRecordings(
  before: readonly Exchange[],
  again: readonly Exchange[],
  after: readonly Exchange[],
): Comparison {
  const [first, second, third] = [before, again, after].map(byTest) as [Tests, Tests, Tests]
  const different: DifferentExchange[] = []
  let compared = 0
  let left = 0
  for (const [test, exchanges] of first) {
    const [other, changed] = [second.get(test), third.get(test)]
    if (!other || !changed || !sameRequests(exchanges, other)) {
      left += exchanges.length
      continue
    }
    const { file } = exchanges[0]!
    if (!sameRequests(exchanges, changed)) {
      const list = (of: readonly Exchange[]) => of.map(({ request }) => routeOf(request)).join(', ')
      const differences = [{ place: 'requests', before: list(exchanges), after: list(changed) }]
      different.push({ file, test, request: '', differences })
      continue
    }
    exchanges.forEach((exchange, at) => {
      compared += 1
      const chance = new Set(differencesOf(exchange, other[at]!).map(({ place }) => place))
      const differences = differencesOf(exchange, changed[at]!).filter(
        ({ place }) => !isWithin(place, chance),
      )
      if (differences.length > 0) different.push({ file, test, request: exchange.request, differences })
    })
  }
  return { different, compared, left }
}

type Tests = ReadonlyMap<string, readonly Exchange[]>

function byTest(exchanges: readonly Exchange[]): Tests {
  const tests = Map.groupBy(exchanges, ({ test }) => test)
  return new Map([...tests].map(([test, of]) => [test, of.toSorted((one, other) => one.at - other.at)]))
}

/** The method and the path, without ids. */
const routeOf = (request: string) => request.replace(/\?.*/, '').replace(/\d+/g, '#')

const sameRequests = (one: readonly Exchange[], other: readonly Exchange[]) =>
  one.length === other.length &&
  one.every(({ request }, at) => routeOf(masked(request)) === routeOf(masked(other[at]!.request)))

/** Whether a place is one of these, or inside one of them. */
function isWithin(place: string, places: ReadonlySet<string>): boolean {
  const steps = place.split('\t')
  return steps.some((_, at) => places.has(steps.slice(0, at + 1).join('\t')))
}

function differencesOf(one: Exchange, other: Exchange): Difference[] {
  const found: Difference[] = []
  collect('answer', parsedAnswer(one.answer), parsedAnswer(other.answer), found)
  collect('status', one.status, other.status, found)
  return found
}

function parsedAnswer(answer: string | undefined): unknown {
  const text = masked(answer ?? '')
  try {
    return fromJson(text)
  } catch {
    return text
  }
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Adds the places where two values differ, outermost first where their forms differ. Steps of a place are divided by tabs. */
function collect(place: string, one: unknown, other: unknown, found: Difference[]): void {
  const differs = () =>
    found.push({ place, before: JSON.stringify(one) ?? 'nothing', after: JSON.stringify(other) ?? 'nothing' })
  if (!isContainer(one) || !isContainer(other)) {
    if (one !== other) differs()
  } else if (Array.isArray(one) !== Array.isArray(other)) differs()
  else if (Array.isArray(one) && one.length !== (other as unknown[]).length) differs()
  else {
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    for (const name of names) {
      collect(`${place}\t${name}`, Reflect.get(one, name), Reflect.get(other, name), found)
    }
    if (Object.keys(one).join() !== Object.keys(other).join() && sameKeys(one, other)) {
      found.push({
        place: `${place}\torder`,
        before: Object.keys(one).join(),
        after: Object.keys(other).join(),
      })
    }
  }
}

const sameKeys = (one: object, other: object) =>
  Object.keys(one).toSorted().join() === Object.keys(other).toSorted().join()
