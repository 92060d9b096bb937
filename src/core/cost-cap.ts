/**
 * Work that an organization goes without as it comes near its cost cap, in this order, and the part of the cap from which on it does. Messages
 * are always sent, and always read (docs/cost.md#caps).
 */
export const SHED_FROM = {
  /** Presence and typing: half of all rows read. */
  presence: 0.8,
  /** Polls that the object holds itself, which keep it awake. They wait on sockets while it sleeps. */
  holds: 0.9,
  /** Previews of websites, and smaller forms of pictures that are not there yet. */
  previews: 0.95,
  uploads: 1,
} as const

export type ShedStep = keyof typeof SHED_FROM

/** Parts of the cap of which owners are notified. */
export const NOTIFIED_AT = [1, 0.8] as const

export interface CostCapEnvironment {
  /** `chat.example.com=20 *=100`: dollars a month for the organization of a host, and for all of the deployment together. */
  readonly COST_CAPS?: string
}

/** Dollars a month; undefined: no cap. */
export interface CostCaps {
  readonly organization?: number
  readonly deployment?: number
}

const ENTRY = /^(\*|[a-z0-9.-]+)=(\d{1,7}(?:\.\d{1,2})?)$/i

/** Reads the setting for the organization of a host. A malformed entry is no cap. */
export function costCapsOf({ COST_CAPS = '' }: CostCapEnvironment, host: string): CostCaps {
  const caps = new Map<string, number>()
  for (const entry of COST_CAPS.trim().split(/\s+/)) {
    const [, name, dollars] = ENTRY.exec(entry) ?? []
    if (name !== undefined && Number(dollars) > 0) caps.set(name.toLowerCase(), Number(dollars))
  }
  const [organization, deployment] = [caps.get(host), caps.get('*')]
  return {
    ...(organization === undefined ? {} : { organization }),
    ...(deployment === undefined ? {} : { deployment }),
  }
}
