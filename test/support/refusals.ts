import { expect } from 'vitest'
import type { ApiResponse } from './api.ts'

/** The answer is a refusal with exactly this text; 400 BAD_REQUEST unless told. */
export function expectRefusal(
  response: ApiResponse,
  msg: string,
  {
    status = 400,
    code = 'BAD_REQUEST',
    ...extra
  }: { status?: number; code?: string; [field: string]: unknown } = {},
): void {
  expect({ status: response.status, ...response.body }).toMatchObject({
    status,
    result: 'error',
    msg,
    code,
    ...extra,
  })
}

/** No credentials: every endpoint of the document refuses them in the same way (docs/interface/conventions.md#authentication). */
export function expectUnauthorized(response: ApiResponse): void {
  expectRefusal(response, 'Not logged in: API authentication or user session required', {
    status: 401,
    code: 'UNAUTHORIZED',
  })
}
