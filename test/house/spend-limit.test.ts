import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inAccount, openStandInAccount, type StandInAccount } from './stand-in-account.ts'

describe('a spending limit', () => {
  let account: StandInAccount
  beforeEach(async () => {
    account = await openStandInAccount()
    for (const [name, value] of Object.entries(inAccount(account))) vi.stubEnv(name, value)
    vi.resetModules()
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    account.stop()
  })

  /** Sets a limit as `npm run deploy` does; returns what it prints. */
  async function set(limit: string, mail?: string): Promise<string> {
    // The address of the API is read when the module is loaded.
    const { CloudflareAccount } = await import('../../scripts/cloudflare-account.ts')
    const { readSpendLimit, setSpendLimit } = await import('../../scripts/spend-limit.ts')
    return (await setSpendLimit(await CloudflareAccount.open(), readSpendLimit(limit, mail))).join('\n')
  }
  const enabled = () =>
    account.policies
      .filter((policy) => policy.enabled)
      .map(({ action, product_id, threshold }) => [action, product_id, threshold])

  it('is shared by both products, with a mail at half of it', async () => {
    expect(await set('20', 'ann@example.com')).toContain('Parley: block Durable Objects: at $10 a month')
    expect(enabled()).toEqual([
      ['notification', 'workers', 5],
      ['usage_block', 'workers', 10],
      ['notification', 'durable_objects', 5],
      ['usage_block', 'durable_objects', 10],
    ])
  })

  it('is changed in its place, and switched off', async () => {
    await set('20', 'ann@example.com')
    expect(await set('50')).toContain('No mail is sent before that')
    expect(enabled()).toEqual([
      ['usage_block', 'workers', 25],
      ['usage_block', 'durable_objects', 25],
    ])
    expect(await set('off')).toContain('Parley: block Workers: off')
    expect([enabled(), account.policies.length]).toEqual([[], 4])
  })

  it('leaves the account’s own one, and says what Cloudflare refused', async () => {
    const own = { name: 'Mine', product_id: 'workers', action: 'usage_block', enabled: true, threshold: 3 }
    account.policies.push({ ...own, id: 'own', version: 4 })
    const output = await set('20')
    expect(output).toContain('There is an enabled usage_block policy of this product. [code: 10009]')
    expect(output).toContain('Billing → Spend Management')
    expect(enabled()).toEqual([
      ['usage_block', 'workers', 3],
      ['usage_block', 'durable_objects', 10],
    ])
  })

  it.each(['', '0', '-3', 'twenty', '20 EUR'])('has to be a number of dollars: %j', async (limit) => {
    await expect(set(limit)).rejects.toThrow('The spending limit must be a number of dollars a month')
    expect(account.policies).toEqual([])
  })
})
