import { Api, browserSurroundings, type Method, type RequestOptions } from '../api/index.ts'

export { failureOf } from '../api/index.ts'

/** The API as this browser's session may use it. */
export const api = new Api(
  browserSurroundings(
    () => document.cookie,
    () => navigator.onLine,
  ),
  // Relative to the page's own address.
  '/json',
)

export type Answer = Record<string, unknown>

/** @throws ApiError, NetworkError */
export function call(
  method: Method,
  path: string,
  params: object = {},
  options: RequestOptions = {},
): Promise<Answer> {
  return api.request(method, path, params as Record<string, unknown>, options)
}
