import { isAllowedTarget } from './outgoing-target.ts'

const MOST_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Asks at an address that a user has given, and at those that it redirects to: each is a call of its own, within the time
 * of all of them. Answers the first answer that is no redirect, with its address; undefined where there is none, or an
 * address on the way is not of the public network.
 */
export async function followRedirects<Answer extends { readonly response: Response }>(
  address: string,
  timeoutMs: number,
  ask: (url: string, timeoutMs: number) => Promise<Answer>,
): Promise<{ readonly address: string; readonly answer: Answer } | undefined> {
  const until = Date.now() + timeoutMs
  let at = address
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    if (!mayLookAt(at)) return undefined
    const answer = await ask(at, Math.max(until - Date.now(), 1))
    const { status, headers } = answer.response
    if (!REDIRECTS.has(status)) return { address: at, answer }
    const location = headers.get('Location')
    if (location === null || !URL.canParse(location, at)) return undefined
    at = new URL(location, at).href
  }
  return undefined
}

/** Every address on the way is checked, and none with a name and password, which `fetch` would send along. */
function mayLookAt(address: string): boolean {
  if (!isAllowedTarget(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}
