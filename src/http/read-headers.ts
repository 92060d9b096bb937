/** Characters. Clients name themselves in far less; what is beyond says nothing that is asked for. */
const LONGEST_USER_AGENT = 500

/** Cut where it is too long. */
export function userAgentOf(request: Request): string {
  return (request.headers.get('user-agent') ?? '').slice(0, LONGEST_USER_AGENT)
}
