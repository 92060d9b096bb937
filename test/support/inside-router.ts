/** Exports the Worker's router, which needs the platform's modules, and its routes for tests that try each of them. */
import { buildRouter } from '../../src/http/router.ts'

export { buildRouter } from '../../src/http/router.ts'

export interface RouteOfServer {
  /** `ALL` for any. */
  readonly method: string
  readonly path: string
}

/** Returns every route, those of the API's endpoints included. */
export function allRoutes(): RouteOfServer[] {
  return routesOf(buildRouter())
}

function routesOf({ routes }: ReturnType<typeof buildRouter>): RouteOfServer[] {
  return routes.map(([method, , , path]) => ({ method, path: path! }))
}

/** Returns the routes without a declaration: pages, files, hooks, and what is left below the roots of the API. */
export function routesBesideEndpoints(): RouteOfServer[] {
  return routesOf(buildRouter([]))
}
