import type { RequestSource } from '../core/call.ts'

/** Who calls an operation that is open to anyone. */
export interface Anyone {
  readonly source: RequestSource
}
