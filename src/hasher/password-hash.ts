import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { fairScheduler, type ReservedSlices } from '../core/fair-scheduler.ts'
import { PASSWORD_COST as COST } from './password-cost.ts'

/** Roughly the milliseconds that hashing a password takes (hasher/password-cost.ts). */
const HASHING_MS = 130

const KEY_BYTES = 32

/**
 * Returns `$scrypt$ln=14,r=8,p=5$salt$key`, in base64: the parameters are stored too, so that they can be raised later. Goes through the
 * gate, since hashing blocks the thread.
 * @throws ServiceUnavailableError (503) if too much work waits there
 */
export async function hashPassword(password: string, place?: ReservedSlices): Promise<string> {
  await (place ?? fairScheduler).turn({ ms: HASHING_MS })
  const salt = randomBytes(16)
  const key = derive(password, salt, COST)
  const { ln, r, p } = COST
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64')}$${key.toString('base64')}`
}

/**
 * Whether a password is right: false for a wrong one, and, after the same work, for an account without one (null). `place`: the place at
 * the gate, reserved before the attempt was counted, so that no counted attempt is refused there.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  place: ReservedSlices,
): Promise<boolean> {
  await place.turn({ ms: HASHING_MS })
  const parsed = parse(stored ?? DECOY)
  const key = derive(password, parsed.salt, parsed.cost)
  return timingSafeEqual(key, parsed.key) && stored !== null
}

/** Checked if there is no hash, so that the time does not reveal which accounts exist. */
const DECOY = `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${'A'.repeat(22)}==$${'A'.repeat(43)}=`

function derive(password: string, salt: Buffer, { ln, r, p }: typeof COST): Buffer {
  const text = password.normalize('NFKC')
  return scryptSync(text, salt, KEY_BYTES, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r })
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
