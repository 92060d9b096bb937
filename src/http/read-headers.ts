/** Length of a user agent, in characters. Clients name themselves in far less. */
const LONGEST_USER_AGENT = 500

/** Returns the user agent, cut where it is too long. */
export function userAgentOf(request: Request): string {
  return (request.headers.get('user-agent') ?? '').slice(0, LONGEST_USER_AGENT)
}
