/**
 * `recipient_id` names a set of receiving users (docs/interface/messages.md#the-message-object): a user, a channel or a group conversation.
 * The three kinds share one number space, so that no table has to assign the numbers.
 */
export type Recipient =
  | { readonly kind: 'user'; readonly id: number }
  | { readonly kind: 'channel'; readonly id: number }
  | { readonly kind: 'conversation'; readonly id: number }

const KINDS = ['user', 'channel', 'conversation'] as const

export function recipientId(recipient: Recipient): number {
  return recipient.id * 3 + KINDS.indexOf(recipient.kind)
}

export function recipientOf(id: number): Recipient {
  return { kind: KINDS[id % 3]!, id: Math.floor(id / 3) }
}

export function channelRecipientId(channelId: number): number {
  return recipientId({ kind: 'channel', id: channelId })
}
