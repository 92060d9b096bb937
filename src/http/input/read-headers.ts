/** Length of a user agent, in characters. Clients name themselves in far less. */
const MAX_USER_AGENT_LENGTH = 500

/** Returns the user agent, cut where it is too long. */
export function userAgentOf(request: Request): string {
  return (request.headers.get('user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH)
}
