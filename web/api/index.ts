/**
 * The page's way to the server: requests of the browser's session with retry and idempotency keys, the event
 * loop, and resumable uploads. It does not know the state; actions connect the two.
 */

export { type BrowserApi, realBrowserApi, waitFor } from './browser-api.ts'
export * from './calls.ts'
export { sessionOfEarly } from './early.ts'
export * from './errors.ts'
export type * from './event-source.ts'
export { browserSocket } from './event-stream.ts'
export * from './events.ts'
export { Api, type Method, type RequestOptions } from './request.ts'
