/** Exports the Worker's router, which needs the platform's modules, and its routes for tests that try each of them. */
import { byPath } from '../../src/http/request/endpoint-paths.ts'
import { buildRouter } from '../../src/http/router.ts'
import { ENDPOINTS } from './inside-declarations.ts'

export { atRoutedPath } from '../../src/http/request/request-url.ts'
export { buildRouter } from '../../src/http/router.ts'

export interface RouteOfServer {
  /** `ALL` for any. */
  readonly method: string
  readonly path: string
}

/** Returns every route, those of the API's endpoints included: for all methods, as each path answers them. */
export function allRoutes(): RouteOfServer[] {
  const paths = byPath(ENDPOINTS).flatMap(([path]) => [`/api/v1${path}`, `/json${path}`])
  return [...paths.map((path) => ({ method: 'ALL', path })), ...routesBesideEndpoints()]
}

/** Returns the routes without a declaration: pages, files, hooks, and what is left below the roots of the API. */
export function routesBesideEndpoints(): RouteOfServer[] {
  return buildRouter().routes.map(([method, , , path]) => ({ method, path: path! }))
}
