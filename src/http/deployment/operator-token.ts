import { createHash, timingSafeEqual } from 'node:crypto'
import { noteOfRequest } from '../../core/request-record.ts'
import type { Environment } from '../request/environment.ts'

/** Whether the request has the deployment's token. False where none is set. */
export function hasOperatorToken(request: Request, { HEALTH_TOKEN }: Environment): boolean {
  if (!HEALTH_TOKEN) return false
  const given = request.headers.get('authorization') ?? ''
  // Digests have the same length, so timing reveals nothing about either.
  if (!timingSafeEqual(digest(given), digest(`Bearer ${HEALTH_TOKEN}`))) return false
  // Whoever has the right token is served even if others at the same address guess tokens.
  noteOfRequest({ isKeyProven: true })
  return true
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
