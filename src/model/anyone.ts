import type { RequestSource } from '../core/call.ts'

/** The caller of an operation that is open to anyone. */
export interface Anyone {
  readonly source: RequestSource
}
