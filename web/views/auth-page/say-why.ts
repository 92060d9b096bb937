import { NoPasskeyError } from '../../api/passkeys.ts'
import { failureText } from '../../texts/failure-text.ts'
import { t } from '../../texts/texts.ts'

/** Returns the words for a log-in that has failed. */
export function sayWhy(error: unknown): string {
  return error instanceof NoPasskeyError ? t.auth.passkeyFailed : failureText(error)
}
