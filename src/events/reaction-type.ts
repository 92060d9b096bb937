/** The form in which the extra emoji's type is kept. Both spellings are accepted; which is sent depends on the client. */
export const EXTRA_EMOJI = 'svc_extra_emoji'
const PUBLIC_EXTRA_EMOJI = 'zulip_extra_emoji'

/**
 * The public clients name themselves so, some of them inside of the name of a library or a browser, and throw on a type
 * that they do not know (docs/interface/clients.md#names; decisions).
 */
const PUBLIC_CLIENT = /^(?:Zulip|Mozilla|website$)|zulip/

export function reactionTypeFor(reactionType: string, userAgent: string): string {
  return reactionType === EXTRA_EMOJI && PUBLIC_CLIENT.test(userAgent) ? PUBLIC_EXTRA_EMOJI : reactionType
}

export function normalReactionType(reactionType: string): string {
  return reactionType === PUBLIC_EXTRA_EMOJI ? EXTRA_EMOJI : reactionType
}
