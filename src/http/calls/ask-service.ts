import { parseJson } from '../../core/json.ts'
import { callOut } from '../../realm/outgoing/call-out.ts'

/** Milliseconds of one question to a service. */
const PATIENCE_MS = 10_000
const MAX_ANSWER_BYTES = 100_000

export interface ServiceAnswer {
  readonly status: number
  readonly text: string
}

/** Asks a service of the deployment's settings; undefined where it does not answer in time. */
export async function askService(url: string, init: RequestInit = {}): Promise<ServiceAnswer | undefined> {
  try {
    const { response, body } = await callOut({
      url,
      named: { by: 'deployment' },
      init,
      timeoutMs: PATIENCE_MS,
      maxBytes: MAX_ANSWER_BYTES,
    })
    return { status: response.status, text: new TextDecoder().decode(body) }
  } catch {
    return undefined
  }
}

/** Returns a field of an answer of JSON, by the names that lead there; undefined unless it is a text or a number. */
export function fieldOf(
  answer: ServiceAnswer | undefined,
  ...path: readonly string[]
): string | number | undefined {
  try {
    const value = path.reduce<unknown>(
      (within, name) => (within as Record<string, unknown> | null | undefined)?.[name],
      parseJson(answer?.text ?? ''),
    )
    return typeof value === 'string' || typeof value === 'number' ? value : undefined
  } catch {
    return undefined
  }
}

export function basicAuthorization(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
}

/** Returns the address if a browser may be sent there. */
export function webAddress(value: string | number | undefined): string | undefined {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : undefined
}
