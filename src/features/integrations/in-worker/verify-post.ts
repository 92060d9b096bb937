import type { ArrivedBody } from '../../../core/arrived-body.ts'
import type { SecretSealer } from '../../../core/sealed-secret.ts'
import type { Integration } from '../../../integrations/integration.ts'
import { type DeliveryFilters, type ReadDelivery, readDelivery } from '../../../integrations/read-delivery.ts'
import { hmac } from '../../../integrations/signatures.ts'
import { templateOf } from '../../../integrations/template-language.ts'

/** The purpose for which secrets of incoming webhooks are sealed. */
export const INCOMING_WEBHOOK_SECRET = 'incoming webhook'

/** Opens the secrets of a bot; undefined where it has some, and none can be opened any more. */
export async function openedSecrets(
  sealed: readonly string[],
  secrets: SecretSealer,
): Promise<string[] | undefined> {
  const open = async (one: string) => {
    try {
      return [await secrets.open(INCOMING_WEBHOOK_SECRET, one)]
    } catch {
      // The key of the deployment was replaced: the other secret may be newer.
      return []
    }
  }
  const found = (await Promise.all(sealed.map(open))).flat()
  return found.length === 0 && sealed.length > 0 ? undefined : found
}

/** Whether a post is signed with a secret that the bot's owner has entered; true where there is none. */
export function isSigned<Signed>(
  verify: ((signed: Signed & { readonly now: number }, secret: string) => boolean) | undefined,
  signed: Signed,
  secrets: readonly string[],
): boolean {
  if (secrets.length === 0) return true
  const now = Date.now() / 1_000
  return verify !== undefined && secrets.some((secret) => verify({ ...signed, now }, secret))
}

/** Reads a post with the settings of the bot, if it is signed where it has to be. `secrets`: opened. */
export function checkedDelivery(
  integration: Integration,
  arrived: ArrivedBody,
  filters: DeliveryFilters,
  settings: Parameters<typeof templateOf>[0] & { readonly secrets: readonly string[] },
): ReadDelivery {
  const hmacOf = (secret: string) => hmac(secret, [arrived.body])
  return isSigned(integration.verify, { ...arrived, hmac: hmacOf }, settings.secrets)
    ? readDelivery(integration, arrived, filters, templateOf(settings))
    : { kind: 'unsigned' }
}
