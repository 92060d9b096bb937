/**
 * The spending limits of an account: policies by which Cloudflare sends a mail and then blocks a product for the rest of the month. They are the
 * account's, not one Worker's, and count what comes on top of the plan.
 */
import { type CloudflareAccount, RefusedByCloudflareError, type SpendPolicy } from './cloudflare-account.ts'

/** The products that can be blocked. What an account may spend is shared equally between them. */
const PRODUCTS = { workers: 'Workers', durable_objects: 'Durable Objects' } as const

/** The part of a limit at which a mail is sent. */
const MAIL_AT = 0.5

export interface SpendLimit {
  /** Dollars a month, for both products together; 0: no limit. */
  readonly dollars: number
  /** Where a mail goes; undefined: none is sent. */
  readonly mail: string | undefined
}

/** @throws {Error} unless it is a number of dollars, or off */
export function readSpendLimit(limit: string, mail: string | undefined): SpendLimit {
  const dollars = limit === 'off' ? 0 : Number(limit)
  if (limit === '' || !(dollars >= 0) || (dollars === 0 && limit !== 'off') || dollars > 1_000_000)
    throw new Error('The spending limit must be a number of dollars a month, such as 20, or off.')
  if (mail !== undefined && !/^[^@\s]+@[^@\s]+$/.test(mail)) throw new Error(`${mail} is no mail address.`)
  return { dollars, mail }
}

/** Returns what was done, in sentences. A policy that Cloudflare refuses stops nothing else. */
export async function setSpendLimit(account: CloudflareAccount, limit: SpendLimit): Promise<string[]> {
  const present = await account.spendPolicies().catch((error: unknown) => refusalIn(error))
  if (typeof present === 'string') return [present, IN_DASHBOARD]
  const lines: string[] = []
  for (const wanted of policiesFor(limit)) {
    const known = present.find(({ name }) => name === wanted.name)
    // What was never set need not be switched off.
    if (!known && !wanted.enabled) continue
    const refused = await account.setSpendPolicy(wanted, known).then(() => undefined, refusalIn)
    lines.push(refused ?? `${wanted.name}: ${wanted.enabled ? `at $${wanted.threshold} a month` : 'off'}`)
    if (refused) lines.push(IN_DASHBOARD)
  }
  if (limit.dollars > 0 && limit.mail === undefined)
    lines.push('No mail is sent before that: --spend-mail ADDRESS names who gets one.')
  return lines
}

const IN_DASHBOARD = 'Spending limits are in the dashboard under Billing → Spend Management.'

function policiesFor({ dollars, mail }: SpendLimit): SpendPolicy[] {
  return Object.entries(PRODUCTS).flatMap(([product_id, product]): SpendPolicy[] => {
    const share = dollars / Object.keys(PRODUCTS).length
    const common = { product_id, notification_email: mail ?? '' }
    return [
      {
        ...common,
        ...{ name: `Parley: mail about ${product}`, action: 'notification' },
        ...{ enabled: dollars > 0 && mail !== undefined, threshold: share * MAIL_AT },
      },
      {
        ...common,
        ...{ name: `Parley: block ${product}`, action: 'usage_block' },
        ...{ enabled: dollars > 0, threshold: share },
      },
    ]
  })
}

function refusalIn(error: unknown): string {
  if (error instanceof RefusedByCloudflareError) return `The spending limit was not set. ${error.message}`
  throw error
}
