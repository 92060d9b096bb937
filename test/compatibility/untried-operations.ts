import type { RequestedRoutes } from '../support/requested-routes.ts'

interface Operation {
  readonly method: string
  /** The path with `{name}` or `:name` for each variable part. */
  readonly path: string
}

/**
 * Returns the operations without a test, as `GET /path: what is missing`: a `needed` one must have been answered with
 * success, a `declared` one must have been requested.
 */
export function untried(
  needed: readonly Operation[],
  declared: readonly Operation[],
  requested: readonly RequestedRoutes[],
): string[] {
  const patterns = [...new Set([...needed, ...declared].map(({ path }) => path))]
    .map((path) => ({ path: shapeOf(path), pattern: patternOf(path) }))
    .sort((a, b) => placeholdersIn(a.path) - placeholdersIn(b.path))
  const succeeded = new Set<string>()
  const tried = new Set<string>()
  for (const [route, isSuccess] of requested.flatMap((routes) => Object.entries(routes))) {
    const [method, path] = route.split(' ') as [string, string]
    // The path with the most fixed parts wins: /users/me is not the address of a user.
    const found = patterns.find(({ pattern }) => pattern.test(path))
    if (!found) continue
    tried.add(`${method} ${found.path}`)
    if (isSuccess) succeeded.add(`${method} ${found.path}`)
  }
  const without = (operations: readonly Operation[], reached: ReadonlySet<string>, what: string) =>
    operations
      .map(({ method, path }) => `${method} ${shapeOf(path)}`)
      .filter((operation) => !reached.has(operation))
      .map((operation) => `${operation}: ${what}`)
  return [
    ...without(needed, succeeded, 'never answered with success'),
    ...without(declared, tried, 'never asked'),
  ]
}

/** Variable parts of a path differ by what they accept: `{id}` accepts numbers only, `{name}` everything else. */
function shapeOf(path: string): string {
  return path
    .replace(/:([a-z_]+)(\+?)/g, (_, name: string, rest: string) => (rest ? '{rest}' : `{${name}}`))
    .replace(/\{(\w+)\}/g, (_, name: string) => placeholderOf(name))
}

/** The public API does not say that a file's name here is the rest of its path. */
function placeholderOf(name: string): string {
  if (name === 'rest' || name === 'filename') return '{rest}'
  return /_id(_str)?$/.test(name) ? '{id}' : '{name}'
}

function patternOf(path: string): RegExp {
  const source = shapeOf(path)
    .replaceAll('{id}', String.raw`\d+`)
    .replaceAll('{name}', '[^/]+')
    .replaceAll('{rest}', '.+')
  return new RegExp(`^(/api/v1|/json)?${source}$`)
}

function placeholdersIn(shape: string): number {
  // A path with `{id}` is preferred, since a number in its position is an id.
  return shape.split('{').length * 2 - shape.split('{id}').length
}
