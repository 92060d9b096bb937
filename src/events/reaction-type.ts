/**
 * The stored form of the extra emoji's type. Both spellings are accepted; which is sent depends on the
 * client.
 */
export const EXTRA_EMOJI = 'svc_extra_emoji'
const PUBLIC_EXTRA_EMOJI = 'zulip_extra_emoji'

/**
 * Names of the public clients, some of which include the name of a library or a browser. They throw on an
 * unknown reaction type (docs/interface/conventions.md#two-spellings; decisions).
 */
const PUBLIC_CLIENT = /^(?:Zulip|Mozilla|website$)|zulip/

export function reactionTypeFor(reactionType: string, userAgent: string): string {
  return reactionType === EXTRA_EMOJI && PUBLIC_CLIENT.test(userAgent) ? PUBLIC_EXTRA_EMOJI : reactionType
}

export function normalReactionType(reactionType: string): string {
  return reactionType === PUBLIC_EXTRA_EMOJI ? EXTRA_EMOJI : reactionType
}
