/** Addresses of pages readable without an account. The number identifies the page; the words after it are for people. */
export const PUBLIC_ROOT = '/public'

/** Limit of the words in an address, in characters. */
const MAX_SLUG_LENGTH = 60

export function channelAddress({ id, name }: { readonly id: number; readonly name: string }): string {
  return `${PUBLIC_ROOT}/channel/${numbered(id, name)}`
}

/** Returns the address of a topic, by one of its messages: the page starts with it, wherever it has moved. */
export function topicAddress(messageId: number, name: string): string {
  return `${PUBLIC_ROOT}/topic/${numbered(messageId, name)}`
}

/** Returns the number at the start of a segment of an address; undefined without one. */
export function numberIn(segment: string | undefined): number | undefined {
  const digits = /^(\d{1,15})(?:-|$)/.exec(segment ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function numbered(id: number, name: string): string {
  const words = name
    .toWellFormed()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  const slug = [...words].slice(0, MAX_SLUG_LENGTH).join('').replace(/^-|-$/g, '')
  return slug === '' ? String(id) : `${id}-${encodeURIComponent(slug)}`
}
