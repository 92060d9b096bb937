import { failureOf } from '../api/errors.ts'
import { t } from './texts.ts'

/** Returns the words for a failure: the server's own sentence, if there is one. Only a lost connection is called so. */
export function failureText(error: unknown): string {
  const { code, text } = failureOf(error)
  return text || (code === 'NETWORK' ? t.noConnection : t.failed)
}
