import { createHmac } from 'node:crypto'
import type { WorkerContext } from '../../api/define-endpoint.ts'
import type { ArrivedBody, LargeBody } from '../../core/arrived-body.ts'
import { LARGE_BODY } from '../../core/budgets.ts'
import { FormField } from '../../core/form-field.ts'
import { ShortJson } from '../../core/short-json.ts'
import { PAYLOAD_FIELD } from '../../integrations/read-delivery.ts'

interface ReadLargeBody {
  /** The short form of its JSON. */
  readonly arrived: ArrivedBody
  /** Returns the HMAC-SHA256 of the whole body by one of the secrets, as hexadecimal digits. */
  hmac(secret: string): string
}

/**
 * Reads a large body of JSON, or of a form with JSON, as it arrives. What of it is held does not grow with it.
 * @throws as `LargeBody.bytes`; ServiceUnavailableError (503)
 */
export async function readLargeBody(
  { bytes, ...facts }: LargeBody,
  secrets: readonly string[],
  { arrivingMemory }: Pick<WorkerContext, 'arrivingMemory'>,
): Promise<ReadLargeBody> {
  const macs = new Map(secrets.map((secret) => [secret, createHmac('sha256', secret)]))
  const field = facts.isForm ? new FormField(PAYLOAD_FIELD) : undefined
  const memory = arrivingMemory()
  try {
    await memory.hold(LARGE_BODY)
    const json = new ShortJson()
    for await (const chunk of bytes) {
      memory.renew()
      for (const mac of macs.values()) mac.update(chunk)
      json.add(field ? field.add(chunk) : chunk)
    }
    const digests = new Map([...macs].map(([secret, mac]) => [secret, mac.digest('hex')]))
    const body = json.end() ?? new Uint8Array(0)
    return { arrived: { ...facts, body, isForm: false }, hmac: (secret) => digests.get(secret) ?? '' }
  } finally {
    memory.giveBack()
  }
}
