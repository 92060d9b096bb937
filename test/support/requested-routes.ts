/**
 * The routes that tests have requested from the Worker, so that a whole run can name the operations that no test has tried
 * (compatibility/operations-reporter.ts).
 */

/** Whether a request to each route, as `GET /api/v1/users/12`, has succeeded at least once. */
export type RequestedRoutes = Readonly<Record<string, boolean>>

/** The part of a test's result that lists its requests. */
export interface MetaWithRoutes {
  requested?: RequestedRoutes
}

let requested: Record<string, boolean> = {}

/** Records a request and the status of its answer. */
export function noteRequest({ method, url }: Request, status: number): void {
  const route = `${method} ${new URL(url).pathname}`
  requested[route] = requested[route] === true || status < 400
}

/** Returns the routes that were requested since the last call. */
export function takeRequestedRoutes(): RequestedRoutes {
  const taken = requested
  requested = {}
  return taken
}
