import type { Command } from '../../core/command.ts'
import type { Anyone } from '../anyone.ts'

export interface FailedProviderLogin {
  readonly provider_id: number
  /** What is wrong with the provider's answer, for administrators. */
  readonly problem: string
}

/** Enters into the audit log that a log-in at a provider came to nothing, before it was known whose it was. */
export const noteFailedProviderLogin: Command<Anyone, FailedProviderLogin, void, object> = {
  apply: () => ({}),
}
