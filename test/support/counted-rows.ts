import { type RequestRows, ROWS_HEADER } from '../../src/dev/count-rows.ts'
import type { ApiClient, ParameterValue } from './api.ts'
import { expectSuccess } from './factories.ts'
import { fromJson, type Json } from './json.ts'

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
