import { expect } from 'vitest'
import type { ApiResponse } from './api.ts'

/** Expects a refusal with exactly this text, and 400 BAD_REQUEST unless `expected` says otherwise. */
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

/** Expects the refusal for missing credentials, which is the same for every documented endpoint (docs/interface/conventions.md#authentication). */
export function expectUnauthorized(response: ApiResponse): void {
  expectRefusal(response, 'Not logged in: API authentication or user session required', {
    status: 401,
    code: 'UNAUTHORIZED',
  })
}
