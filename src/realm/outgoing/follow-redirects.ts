import { isAllowedTarget } from '../../core/outgoing-target.ts'
import { TimeLimit } from '../../core/time-limit.ts'

const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Calls an address that a user has given, and those to which it redirects, each in a call of its own, within
 * a common time. Returns the first answer that is no redirect, with its address; undefined without one, or
 * when an address on the way is not in the public network.
 */
export async function followRedirects<Answer extends { readonly response: Response }>(
  address: string,
  timeoutMs: number,
  ask: (url: string, timeoutMs: number) => Promise<Answer>,
): Promise<{ readonly address: string; readonly answer: Answer } | undefined> {
  const time = new TimeLimit(timeoutMs)
  let at = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    if (!mayLookAt(at)) return undefined
    const answer = await ask(at, Math.max(time.left, 1))
    const { status, headers } = answer.response
    if (!REDIRECTS.has(status)) return { address: at, answer }
    const location = headers.get('Location')
    if (location === null || !URL.canParse(location, at)) return undefined
    at = new URL(location, at).href
  }
  return undefined
}

/**
 * Whether an address on the way may be called; addresses with a name and password, which `fetch` would send
 * along, may not.
 */
function mayLookAt(address: string): boolean {
  if (!isAllowedTarget(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}
