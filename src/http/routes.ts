import type { Endpoint } from '../api/define-endpoint.ts'
import { decoded } from './request-url.ts'

export interface Route {
  readonly segments: readonly Segment[]
  readonly endpoints: readonly Endpoint[]
}

/** A fixed text, or a parameter, which each endpoint of a route may name differently. */
type Segment = { readonly text: string } | { readonly isInteger: boolean; readonly isRest: boolean }

export interface FoundRoute {
  readonly route: Route
  readonly values: readonly string[]
}

const PARAMETER = /:(\w+)\+?/g
const INTEGER = /^\d+$/
/** The number that replaces all numbers larger than any id. */
const MAX_INTEGER = '9'.repeat(15)

/** All routes by their first segment, which is always fixed, and their number of segments: a request is compared with only a few. */
export class RouteMap {
  readonly #byBeginning: ReadonlyMap<string, readonly Route[]>

  constructor(endpoints: readonly Endpoint[]) {
    this.#byBeginning = Map.groupBy(routesOf(endpoints), ({ segments }) => {
      const [first] = segments
      if (!first || !('text' in first)) throw new Error('A path begins with a parameter')
      return beginningOf(first.text, endsOpen(segments) ? 'any' : segments.length)
    })
  }

  /** Finds the route. `path`: below /api/v1, as sent. Undefined if the path is not served (docs/interface/conventions.md#answers: 404). */
  find(path: string): FoundRoute | undefined {
    const segments = withoutSlashesAtEnd(path).split('/').slice(1)
    const first = segments[0] ?? ''
    return (
      this.#among(beginningOf(first, segments.length), segments) ??
      this.#among(beginningOf(first, 'any'), segments)
    )
  }

  #among(beginning: string, segments: readonly string[]): FoundRoute | undefined {
    for (const route of this.#byBeginning.get(beginning) ?? []) {
      const values = readPath(route, segments)
      if (values) return { route, values }
    }
    return undefined
  }
}

function endsOpen(segments: readonly Segment[]): boolean {
  const last = segments.at(-1)
  return last !== undefined && 'isRest' in last && last.isRest
}

function withoutSlashesAtEnd(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

function beginningOf(first: string, count: number | 'any'): string {
  return `${count} ${first}`
}

/** Returns the routes of endpoints, longer fixed prefixes first: `/users/me` is not the user called "me". */
function routesOf(endpoints: readonly Endpoint[]): Route[] {
  return [...Map.groupBy(endpoints, ({ path }) => shapeOf(path)).values()]
    .map((found) => ({ found, path: found[0]!.path }))
    .sort((a, b) => specificity(b.path) - specificity(a.path))
    .map(({ found, path }) => ({ segments: segmentsOf(path), endpoints: found }))
}

function segmentsOf(path: string): Segment[] {
  const named = withoutSlashesAtEnd(path).split('/').slice(1)
  return named.map((segment) =>
    segment.startsWith(':')
      ? { isInteger: isInteger(segment), isRest: segment.endsWith('+') }
      : { text: segment },
  )
}

/** Returns the values of the path's parameters; undefined if the path does not match. */
function readPath({ segments }: Route, sent: readonly string[]): string[] | undefined {
  const values: string[] = []
  for (const [position, segment] of segments.entries()) {
    const given = sent[position]
    if (given === undefined) return undefined
    if ('text' in segment) {
      if (segment.text !== given) return undefined
      continue
    }
    const value = decoded(segment.isRest ? sent.slice(position).join('/') : given)
    if (!value || (segment.isInteger && !INTEGER.test(value))) return undefined
    values.push(segment.isInteger ? readableInteger(value) : value)
  }
  return values
}

/** Returns the digits of an integer. A number longer than any id matches nothing, like any other unused number. */
function readableInteger(digits: string): string {
  if (digits.length <= MAX_INTEGER.length) return digits
  const plain = digits.replace(/^0+/, '')
  return plain.length <= MAX_INTEGER.length ? plain.padStart(1, '0') : MAX_INTEGER
}

export function namedBy(path: string, values: readonly string[]): Record<string, string> {
  if (values.length === 0) return {}
  return Object.fromEntries(parameterNames(path).map((name, position) => [name, values[position]!]))
}

function parameterNames(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name]) => name!)
}

/** Whether a parameter is an integer, by its name; any other is text. */
function isInteger(name: string): boolean {
  return name.endsWith('_id') || name.endsWith('_id_str')
}

function shapeOf(path: string): string {
  return path.replace(PARAMETER, (_, name: string) => (isInteger(name) ? ':integer' : ':text'))
}

/** Returns the methods of a route's endpoints, in alphabetical order. */
export function allowedMethods(endpoints: readonly Endpoint[]): string[] {
  const methods = new Set<string>(endpoints.map(({ method }) => method))
  if (methods.has('GET')) methods.add('HEAD')
  methods.add('OPTIONS')
  return [...methods].sort()
}

/** Returns how specific a path is: fixed segments count most, and integers more than text. */
function specificity(path: string): number {
  const weight = (segment: string) => (segment.startsWith(':') ? (isInteger(segment) ? 2 : 1) : 3)
  return path.split('/').reduce((sum, segment) => sum * 4 + weight(segment), 0)
}
