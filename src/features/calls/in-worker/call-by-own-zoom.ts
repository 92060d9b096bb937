import type { WorkerContext } from '../../../api/worker-context.ts'
import { BadRequestError, InvalidZoomTokenError } from '../../../core/errors.ts'
import { fromJson, type JsonText, jsonText } from '../../../core/json.ts'
import { LostSecretError, type SecretSealer } from '../../../core/sealed-secret.ts'
import {
  claimZoomRenewalStep,
  endZoomRenewalStep,
  forgetZoomAccountStep,
  noteZoomIdStep,
  type RenewalClaim,
  type TokensNow,
} from '../zoom-accounts.ts'
import { makeOwnMeeting, renewTokens, type ZoomTokens } from './zoom.ts'

/** An account's state at Zoom when it creates a call. */
export interface ZoomAtHand {
  /** Sealed. */
  readonly tokens: string
  readonly isOver: boolean
  readonly isIdKnown: boolean
}

type KeptTokens = Pick<ZoomTokens, 'access' | 'refresh'>

const PURPOSE = 'zoom account'

export function sealTokens(secrets: SecretSealer, { access, refresh }: ZoomTokens): Promise<string> {
  return secrets.seal(PURPOSE, jsonText<KeptTokens>({ access, refresh }))
}

/**
 * Creates a meeting as the caller's own Zoom user, and returns its link.
 *
 * @throws InvalidZoomTokenError, after which the user must log in there again; BadRequestError
 */
export async function callByOwnZoom(
  { tokens: found, isOver, isIdKnown }: ZoomAtHand,
  call: { readonly isVideo: boolean },
  worker: WorkerContext,
): Promise<string> {
  const tokens = isOver ? await renewed(found, worker) : found
  const { access } = await opened(tokens, worker)
  const meeting = await makeOwnMeeting(worker.env, access, call)
  if (meeting === 'refused') return forget(tokens, worker)
  if (!isIdKnown && meeting.hostId !== null) {
    await worker.run(noteZoomIdStep.operation, { tokens, zoom_id: meeting.hostId })
  }
  return meeting.url
}

/** Milliseconds between two checks for another request's exchange, and the number of checks: together longer than an exchange may take. */
const LOOK_MS = 1_000
const LOOKS = 25

/** Exchanges expired tokens, once for all requests that need it. */
async function renewed(tokens: string, worker: WorkerContext): Promise<string> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const claim = (await worker.run(claimZoomRenewalStep.operation, { tokens })) as RenewalClaim
    if (claim.kind === 'own') return renew(tokens, worker)
    if (claim.kind === 'changed') return requireTokens(claim)
    await scheduler.wait(LOOK_MS)
  }
  throw new BadRequestError('Failed to create Zoom call')
}

async function renew(tokens: string, worker: WorkerContext): Promise<string> {
  const end = async (fresh: { tokens: string; expires_in: number } | null) =>
    (await worker.run(endZoomRenewalStep.operation, { was: tokens, renewed: fresh })) as TokensNow
  const { refresh } = await opened(tokens, worker)
  const answer = await renewTokens(worker.env, refresh).catch(async (error: unknown) => {
    await end(null)
    throw error
  })
  if (answer === 'refused') return forget(tokens, worker)
  const sealed = await sealTokens(worker.secrets, answer)
  return requireTokens(await end({ tokens: sealed, expires_in: answer.expiresIn }))
}

function requireTokens({ tokens }: TokensNow): string {
  if (tokens === null) throw new InvalidZoomTokenError()
  return tokens
}

async function opened(tokens: string, worker: WorkerContext): Promise<KeptTokens> {
  try {
    return fromJson((await worker.secrets.open(PURPOSE, tokens)) as JsonText<KeptTokens>)
  } catch (error) {
    // The deployment's key was replaced.
    if (error instanceof LostSecretError) return forget(tokens, worker)
    throw error
  }
}

async function forget(tokens: string, worker: WorkerContext): Promise<never> {
  await worker.run(forgetZoomAccountStep.operation, { tokens })
  throw new InvalidZoomTokenError()
}
