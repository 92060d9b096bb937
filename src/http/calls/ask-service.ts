import { parseJson } from '../../core/json.ts'
import { Payload } from '../../integrations/payload.ts'
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

/** Returns what an answer of JSON says; nothing where it is no JSON. */
export function payloadOf(answer: ServiceAnswer | undefined): Payload {
  try {
    return new Payload(parseJson(answer?.text ?? ''))
  } catch {
    return new Payload(undefined)
  }
}
