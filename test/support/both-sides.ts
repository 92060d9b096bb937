import type { ApiResponse, ParameterValue } from './api.ts'
import type { TestRealm } from './factories.ts'
import { whileSettings } from './while-settings.ts'

export type Settings = Readonly<Record<string, ParameterValue>>
/** A function that makes one request as Ann and returns the answer. */
export type Attempt = () => Promise<ApiResponse>

let numbers = 0
/** Returns a name that no other call returns. */
export function anew(what: string): string {
  numbers += 1
  return `${what} ${numbers}`
}

export async function isDone(attempt: Attempt): Promise<boolean> {
  return (await attempt()).body.result === 'success'
}

/** Returns the result of `look` while the organization has these settings. */
export async function during<Seen>(
  realm: TestRealm,
  settings: Settings,
  look: () => Promise<Seen>,
): Promise<Seen> {
  let seen: Seen | undefined
  await whileSettings(realm, settings, async () => {
    seen = await look()
  })
  return seen as Seen
}
