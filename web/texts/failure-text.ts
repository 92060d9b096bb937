import { failureOf } from '../api/errors.ts'
import { t } from './texts.ts'

/**
 * Returns the words for a failure: the server's own sentence, if there is one. Only a lost connection is called so: a request got no answer, or
 * the browser itself says that it has none, as where a part of the page's code could not be loaded.
 */
export function failureText(error: unknown): string {
  const { code, text } = failureOf(error)
  const isLost = code === 'NETWORK' || navigator.onLine === false
  return text || (isLost ? t.noConnection : t.failed)
}
