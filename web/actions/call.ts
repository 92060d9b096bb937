import { Api, type Method, type RequestOptions, realBrowserApi } from '../api/index.ts'

export { failureOf, NetworkError } from '../api/index.ts'

const browserApi = realBrowserApi(
  () => document.cookie,
  () => navigator.onLine,
)

/** The API, with this browser's session. */
export const api = new Api(
  browserApi,
  // Relative to the page's own address.
  '/json',
)

/** Pages of this server that answer as the API does. */
export const pages = new Api(browserApi, '', api.session)

export type Answer = Record<string, unknown>

/**
 * Makes a request. `Result` is the answer, as the server declares it.
 * @throws ApiError, NetworkError
 */
export async function call<Result extends object = Answer>(
  method: Method,
  path: string,
  params: object = {},
  options: RequestOptions = {},
): Promise<Result> {
  return (await api.request(method, path, params as Record<string, unknown>, options)) as Result
}
