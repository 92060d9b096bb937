/**
 * Makes a Cloudflare account for an hour, without a log-in: `wrangler deploy --temporary` does the same, but asks for the account in the middle of
 * each command. The price is a proof of work, and the terms, of which the caller has asked.
 */
import { hash as hashOf } from 'node:crypto'
import { API, askCloudflare } from './cloudflare-account.ts'

export const TERMS = {
  termsOfService: 'https://www.cloudflare.com/terms/',
  privacyPolicy: 'https://www.cloudflare.com/privacypolicy/',
}

export interface TemporaryAccount {
  readonly account: { readonly id: string; readonly apiToken: string; readonly expiresAt: string }
  /** Whoever opens the URL and logs in owns the account. */
  readonly claim: { readonly url: string; readonly expiresAt: string }
}

interface Challenge {
  readonly challengeToken: string
  /** 32 bytes in base64url. */
  readonly seed: string
  /** The number of checkpoints after the first, and of hashes from one to the next. */
  readonly k: number
  readonly g: number
}

const MAX_HASHES = 64_000_000

/** @throws {Error} where Cloudflare makes none now, or asks for too much work */
export async function makeTemporaryAccount(): Promise<TemporaryAccount> {
  const previews = '/provisioning/previews'
  const challenge = await askCloudflare<Challenge>('POST', `${previews}/challenge`, {}, {})
  return askCloudflare(
    'POST',
    previews,
    {},
    {
      ...TERMS,
      acceptTermsOfService: 'yes',
      challengeToken: challenge.challengeToken,
      solution: { checkpoints: solve(challenge) },
    },
  )
}

/** Returns the hash of the seed and each g-th hash of hashes after it, in base64. */
function solve({ seed, k, g }: Challenge): string {
  const bytes = Buffer.from(seed, 'base64url')
  if (!(k > 0 && g > 0 && k * g <= MAX_HASHES) || bytes.length !== 32) {
    throw new Error(`${API} asks for a proof of work that this version does not know.`)
  }
  let last = hashOf('sha256', bytes, 'buffer')
  const checkpoints = [last]
  for (let checkpoint = 0; checkpoint < k; checkpoint += 1) {
    for (let count = 0; count < g; count += 1) last = hashOf('sha256', last, 'buffer')
    checkpoints.push(last)
  }
  return Buffer.concat(checkpoints).toString('base64')
}
