/** Addresses of what is read without an account. The number decides; the words behind it are for people. */
export const PUBLIC_ROOT = '/public'

/** Words of an address at most, in characters. */
const LONGEST_SLUG = 60

export function channelAddress({ id, name }: { readonly id: number; readonly name: string }): string {
  return `${PUBLIC_ROOT}/channel/${numbered(id, name)}`
}

/** The address of a topic, by a message: the page begins with it, wherever it has moved. */
export function topicAddress(messageId: number, name: string): string {
  return `${PUBLIC_ROOT}/topic/${numbered(messageId, name)}`
}

/** The number that a segment of an address begins with; undefined for what is none. */
export function numberIn(segment: string | undefined): number | undefined {
  const digits = /^(\d{1,15})(?:-|$)/.exec(segment ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function numbered(id: number, name: string): string {
  const words = name
    .toWellFormed()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  const slug = [...words].slice(0, LONGEST_SLUG).join('').replace(/^-|-$/g, '')
  return slug === '' ? String(id) : `${id}-${encodeURIComponent(slug)}`
}
