import type { ArrivedBody } from '../../../core/arrived-body.ts'
import { parseJson } from '../../../core/json.ts'
import type { SecretSealer } from '../../../core/sealed-secret.ts'
import { type Integration, OPTION_NAMES, type OptionName } from '../../../integrations/integration.ts'
import { type DeliveryFilters, type ReadDelivery, readDelivery } from '../../../integrations/read-delivery.ts'
import { SERVICE_SAMPLES } from '../../../integrations/service-samples.ts'
import { hmac } from '../../../integrations/signatures.ts'
import { templateOf } from '../../../integrations/template-language.ts'

/** The purpose for sealing incoming webhooks' secrets. */
export const INCOMING_WEBHOOK_SECRET = 'incoming webhook'

/** Opens a bot's secrets; undefined if it has some, but none can be opened any more. */
export async function openedSecrets(
  sealed: readonly string[],
  secrets: SecretSealer,
): Promise<string[] | undefined> {
  const open = async (one: string) => {
    try {
      return [await secrets.open(INCOMING_WEBHOOK_SECRET, one)]
    } catch {
      // The deployment's key was replaced: the other secret may be newer.
      return []
    }
  }
  const found = (await Promise.all(sealed.map(open))).flat()
  return found.length === 0 && sealed.length > 0 ? undefined : found
}

/** Whether a post is signed with a secret that the bot's owner entered; true if there is none. */
export function isSigned<Signed>(
  verify: ((signed: Signed & { readonly now: number }, secret: string) => boolean) | undefined,
  signed: Signed,
  secrets: readonly string[],
): boolean {
  if (secrets.length === 0) return true
  const now = Date.now() / 1_000
  return verify !== undefined && secrets.some((secret) => verify({ ...signed, now }, secret))
}

/** Reads a post with the bot's settings, if its signature is valid or not needed. `secrets`: opened. */
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

/** A service's sample post: a JSON body or a form. */
interface ServiceSample {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  readonly form?: Readonly<Record<string, string>>
}

type Asked = Readonly<Partial<Record<OptionName, string>>> & {
  /** JSON in place of the sample's. */
  readonly payload?: string
}

/** The address of a sample, which is signed and checked, but not asked for. */
const SAMPLE_ADDRESS = ''

/** Returns a post as the service would make it to a URL with these options, signed with the secret if there is one. */
export function samplePost(
  integration: Integration,
  { payload, ...address }: Asked,
  secret: string | undefined,
): ArrivedBody {
  const sample = parseJson(SERVICE_SAMPLES[integration.name]!) as ServiceSample
  const form = payload === undefined ? sample.form : undefined
  const text = form ? new URLSearchParams(form).toString() : (payload ?? JSON.stringify(sample.body))
  const body = new TextEncoder().encode(text)
  const now = Math.floor(Date.now() / 1_000)
  const signature =
    secret === undefined ? {} : integration.sign?.({ body, now, address: SAMPLE_ADDRESS }, secret)
  const headers = Object.entries({ ...sample.headers, ...signature })
  const byName = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]))
  const options = OPTION_NAMES.flatMap((name) => {
    const value = address[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    body,
    fields: new Map([...options, ...Object.entries(form ?? {})]),
    isForm: form !== undefined,
    address: SAMPLE_ADDRESS,
    header: (name) => byName.get(name.toLowerCase()) ?? '',
  }
}
