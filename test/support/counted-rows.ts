import type { ApiClient, ParameterValue } from './api.ts'
import { expectSuccess } from './factories.ts'
import { fromJson, type Json } from './json.ts'

/** The answer to a request with this header has it too, with the numbers of rows read and written. */
export const ROWS_HEADER = 'x-parley-rows'

export interface Rows {
  readonly read: number
  readonly written: number
}

/** The cost of one request in the object and in D1, as the platform counts it. */
interface RequestRows {
  readonly object: Rows
  readonly d1: Rows
}

/** Makes a request, which has to succeed. Returns its answer, and the rows that it read and wrote in the object and in D1. */
export async function countRows(
  api: ApiClient,
  method: string,
  path: string,
  params: Record<string, ParameterValue | undefined> = {},
): Promise<RequestRows & { readonly body: Json }> {
  const response = await api.request(method, path, params, { headers: { [ROWS_HEADER]: 'count' } })
  return { ...rowsOf(response), body: expectSuccess(response) }
}

/** Returns the rows of a request that was made with `ROWS_HEADER`. */
export function rowsOf({ headers }: { readonly headers: Headers }): RequestRows {
  return fromJson<RequestRows>(headers.get(ROWS_HEADER)!)
}
