import type { ArrivedBody } from '../../../core/arrived-body.ts'
import { parseJson } from '../../../core/json.ts'
import type { Integration } from '../../../integrations/integration.ts'
import { OPTION_NAMES, type OptionName } from '../../../integrations/options.ts'
import { SERVICE_SAMPLES } from '../../../integrations/service-samples.ts'

/** A post as a service makes it: with a body of JSON, or with a form. */
interface ServiceSample {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  readonly form?: Readonly<Record<string, string>>
}

type Asked = Readonly<Partial<Record<OptionName, string>>> & {
  /** JSON in place of the sample's. */
  readonly payload?: string
}

/** Returns a post as the service makes it, to an address with these options, signed with the secret if there is one. */
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
  const signature = secret === undefined ? {} : integration.sign?.({ body, now }, secret)
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
    header: (name) => byName.get(name.toLowerCase()) ?? '',
  }
}
