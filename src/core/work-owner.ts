import type { RealmCall } from './call.ts'
import { clientNetwork } from './client-network.ts'

/** Returns whose work a call is, for `Work.owner`: the account's, once the organization has accepted its credentials. */
export function ownerOfCall({
  host,
  credentials,
  source,
}: Pick<RealmCall, 'host' | 'credentials' | 'source'>): string {
  switch (credentials.kind) {
    case 'basic':
      return `${host} ${credentials.email}`
    case 'bot key':
      return `${host} ${credentials.apiKey}`
    case 'session':
    case 'scim':
      return `${host} ${credentials.digest}`
    case 'trusted':
      return `${host} ${credentials.userId}`
    case 'none':
      return ownerAt(source.ip)
  }
}

/** Returns whose work it is for a visitor without an account. */
export function ownerAt(ip: string): string {
  return `network ${clientNetwork(ip)}`
}
