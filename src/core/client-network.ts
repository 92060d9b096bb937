import ipaddr from 'ipaddr.js'

/** Characters of the longest address, an IPv4 one within IPv6. */
const MAX_LENGTH = 45

/**
 * Returns the network by which a client's requests and attempts are counted: its IPv4 address, or the first 64 bits of its IPv6 address,
 * since one client usually has all addresses with that prefix. '' if the address is unknown.
 */
export function clientNetwork(address: string): string {
  const text = address.trim().toLowerCase()
  // The platform writes an IPv4 address in only one way. Every request gets here, and parsing an address is expensive.
  if (!text.includes(':') || text.length > MAX_LENGTH || !ipaddr.isValid(text)) return text
  const parsed = ipaddr.process(text)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}
