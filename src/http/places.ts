import type { Endpoint } from '../endpoints/define-endpoint.ts'

/** A form of path with everything that is served at it. */
export interface Place {
  /** Its parameters are named by their position, since each endpoint has its own name for them. */
  readonly path: string
  /** Of each parameter, whether it must be an integer. */
  readonly integers: readonly boolean[]
  readonly endpoints: readonly Endpoint[]
}

const PARAMETER = /:(\w+)/g
const INTEGER = /^\d{1,15}$/

/** Longer fixed beginnings first: `/users/me` is not the user called "me". */
export function placesOf(endpoints: readonly Endpoint[]): Place[] {
  return [...Map.groupBy(endpoints, ({ path }) => shapeOf(path)).values()]
    .map((found) => ({ found, path: found[0]!.path }))
    .sort((a, b) => specificity(b.path) - specificity(a.path))
    .map(({ found, path }) => {
      let position = 0
      return {
        path: path.replace(PARAMETER, () => `:p${position++}`),
        integers: parameterNames(path).map(isInteger),
        endpoints: found,
      }
    })
}

/** The values of the path's parameters; undefined when one of them does not fit (behaviour 0.1: 404). */
export function readPath({ integers }: Place, params: Record<string, string>): string[] | undefined {
  try {
    const values = integers.map((_, position) => decodeURIComponent(params[`p${position}`]!))
    const fits = values.every((value, position) => (integers[position] ? INTEGER.test(value) : value !== ''))
    return fits ? values : undefined
  } catch {
    // Broken percent-encoding.
    return undefined
  }
}

/** The values by the names that an endpoint has for them. */
export function namedBy(path: string, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(parameterNames(path).map((name, position) => [name, values[position]!]))
}

function parameterNames(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name]) => name!)
}

/** Parameters whose name says so are integers, any other is text. */
function isInteger(name: string): boolean {
  return name.endsWith('_id')
}

function shapeOf(path: string): string {
  return path.replace(PARAMETER, (_, name: string) => (isInteger(name) ? ':integer' : ':text'))
}

/** What may be asked at a place, in alphabetical order. */
export function allowedMethods(endpoints: readonly Endpoint[]): string[] {
  const methods = new Set<string>(endpoints.map(({ method }) => method))
  if (methods.has('GET')) methods.add('HEAD')
  methods.add('OPTIONS')
  return [...methods].sort()
}

/** Fixed segments count most, and integers more than any text. */
function specificity(path: string): number {
  const weight = (segment: string) => (segment.startsWith(':') ? (isInteger(segment) ? 2 : 1) : 3)
  return path.split('/').reduce((sum, segment) => sum * 4 + weight(segment), 0)
}
