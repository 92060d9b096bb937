import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { PASSWORD_COST as COST } from './password-cost.ts'

const KEY_BYTES = 32

/**
 * Returns `$scrypt$ln=14,r=8,p=5$salt$key`, in base64: the parameters are stored too, so that they can be
 * raised.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST)
  const { ln, r, p } = COST
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64')}$${key.toString('base64')}`
}

/**
 * Whether a password is right: false for a wrong one, and for an account without one (null) after the same
 * work.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const parsed = parse(stored ?? DECOY)
  const key = await derive(password, parsed.salt, parsed.cost)
  return timingSafeEqual(key, parsed.key) && stored !== null
}

/** Checked in place of a missing hash, so that the time does not show which accounts exist. */
const DECOY = `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${'A'.repeat(22)}==$${'A'.repeat(43)}=`

function derive(password: string, salt: Buffer, { ln, r, p }: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize('NFKC'),
      salt,
      KEY_BYTES,
      { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r },
      (error, key) => (error ? reject(error) : resolve(key)),
    )
  })
}

function parse(stored: string): { cost: typeof COST; salt: Buffer; key: Buffer } {
  const match = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (!match) throw new Error('Unknown password hash')
  const [, ln, r, p, salt, key] = match
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt!, 'base64'),
    key: Buffer.from(key!, 'base64'),
  }
}
