import { type DeclaresLevel, getsForm } from '../../core/forms-by-level.ts'
import { INTEGRATIONS } from '../../integrations/index.ts'
import { OPTIONS, type OptionName } from '../../integrations/options.ts'

/** How older clients name the kind of an option. */
const VALIDATORS = { text: 'check_string', boolean: 'check_bool' } as const

/** Returns all integrations for pages that make their addresses. Source: docs/interface/webhooks.md#incoming-webhooks. */
export function presentIntegrations(client: DeclaresLevel): object[] {
  const key = getsForm(client, 'options of integrations in url_options') ? 'url_options' : 'config_options'
  return INTEGRATIONS.map(({ name, displayName, events, options = [] }) => ({
    name,
    display_name: displayName,
    all_event_types: events,
    [key]: options.map((option) => presentOption(option, client)),
  }))
}

function presentOption(name: OptionName, client: DeclaresLevel): object {
  const { label, input } = OPTIONS[name]
  const kind = getsForm(client, 'options of integrations with input_type')
    ? { input_type: input }
    : { validator: VALIDATORS[input] }
  return { key: name, label, ...kind }
}
