const V4_IN_V6 = /^::(?:ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i

/**
 * Returns the network by which a client's requests and attempts are counted: its IPv4 address, or the first
 * 64 bits of its IPv6 address, since one client usually has all addresses that begin with them. '' where the
 * address is not known.
 */
export function clientNetwork(address: string): string {
  const text = address.trim().toLowerCase()
  if (!text.includes(':')) return text
  const v4 = V4_IN_V6.exec(text)?.[1]
  if (v4 !== undefined) return v4
  const [head = '', tail = ''] = text.split('%', 1)[0]!.split('::', 2)
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const left = Math.max(8 - before.length - after.length, 0)
  const groups = text.includes('::') ? [...before, ...Array<string>(left).fill('0'), ...after] : before
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The groups of an address without leading zeros, so that one network has one name. */
function groupsOf(part: string): string[] {
  if (part === '') return []
  return part.split(':').map((group) => group.replace(/^0+(?=.)/, ''))
}
