import type { Endpoint } from '../../api/define-endpoint.ts'
import { decoded } from './request-url.ts'

const INTEGER = /^\d+$/
/** The number that replaces all numbers larger than any id. */
const MAX_INTEGER = '9'.repeat(15)

/** Returns endpoints by their path, in the order of the routes: `/users/me` is not the user called "me". */
export function byPath(endpoints: readonly Endpoint[]): (readonly [path: string, readonly Endpoint[]])[] {
  return [...Map.groupBy(endpoints, ({ path }) => path)].sort(([a], [b]) => specificity(b) - specificity(a))
}

/** Returns how specific a path is: fixed segments count most, and integers more than text. */
function specificity(path: string): number {
  const weight = (segment: string) => (segment.startsWith(':') ? (isInteger(segment) ? 2 : 1) : 3)
  return path.split('/').reduce((sum, segment) => sum * 4 + weight(segment), 0)
}

/** Whether a parameter is an integer, by its name; any other is text. */
function isInteger(name: string): boolean {
  return name.endsWith('_id') || name.endsWith('_id_str')
}

/** The endpoints of a path that was asked for, and the values of its parameters. */
export interface FoundPath {
  readonly endpoints: readonly Endpoint[]
  readonly values: Readonly<Record<string, string>>
}

/**
 * Returns a function that finds the endpoints of a path below the root of the API. Only paths with the same first segment are compared:
 * comparing it with each of some 250 paths would take longer than anything else that the Worker does for a short message.
 */
export function pathFinder(endpoints: readonly Endpoint[]): (path: string) => FoundPath | undefined {
  const paths = byPath(endpoints).map(([path, at]) => ({
    segments: withoutSlashesAtEnd(path).split('/'),
    endpoints: at,
  }))
  const byFirst = Map.groupBy(paths, ({ segments }) => segments[1])
  return (path) => {
    const asked = withoutSlashesAtEnd(path).split('/')
    for (const { segments, endpoints } of byFirst.get(asked[1]) ?? []) {
      const sent = parametersIn(asked, segments)
      const values = sent && readPath(sent)
      if (values) return { endpoints, values }
    }
    return undefined
  }
}

/** Returns the parameters of a path as sent; undefined if it is another path. */
function parametersIn(
  asked: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const sent: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    if (segment.endsWith('+')) return { ...sent, [segment.slice(1, -1)]: asked.slice(at).join('/') }
    const given = asked[at] ?? ''
    if (segment.startsWith(':')) sent[segment.slice(1)] = given
    else if (segment !== given) return undefined
  }
  return asked.length === segments.length ? sent : undefined
}

/** Returns the values of a path's parameters; undefined if one is not what its name says, so that the path is of another route, or none. */
function readPath(sent: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const values: Record<string, string> = {}
  for (const [name, text] of Object.entries(sent)) {
    // Only the rest of a path (`:name+`) may have slashes.
    const value = decoded(withoutSlashesAtEnd(text))
    if (!value || (isInteger(name) && !INTEGER.test(value))) return undefined
    values[name] = isInteger(name) ? readableInteger(value) : value
  }
  return values
}

function withoutSlashesAtEnd(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** Returns the digits of an integer. A number longer than any id matches nothing, like any other unused number. */
function readableInteger(digits: string): string {
  if (digits.length <= MAX_INTEGER.length) return digits
  const plain = digits.replace(/^0+/, '')
  return plain.length <= MAX_INTEGER.length ? plain.padStart(1, '0') : MAX_INTEGER
}

/** Returns the methods of a path's endpoints, in alphabetical order. */
export function allowedMethods(endpoints: readonly Endpoint[]): string[] {
  const methods = new Set<string>(endpoints.map(({ method }) => method))
  if (methods.has('GET')) methods.add('HEAD')
  methods.add('OPTIONS')
  return [...methods].sort()
}
