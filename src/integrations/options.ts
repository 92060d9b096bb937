/** How the page asks for an option, in the words of the API. */
export type InputType = 'text' | 'boolean'

export interface Option {
  readonly label: string
  readonly input: InputType
}

/** All options that addresses of integrations may have, by the name of the parameter. */
export const OPTIONS = {
  branches: { label: 'Filter by branches: names or patterns, separated by commas', input: 'text' },
  desc: {
    label: 'Label or annotation that says what an alert is about, instead of alertname',
    input: 'text',
  },
  ignore_private_repositories: { label: 'Exclude notifications from private repositories', input: 'boolean' },
  name: { label: 'Label or annotation that is the topic of an alert, instead of instance', input: 'text' },
  use_merge_request_title: {
    label: 'Include the titles of merge requests in topics (true by default)',
    input: 'boolean',
  },
} as const satisfies Readonly<Record<string, Option>>

export type OptionName = keyof typeof OPTIONS
export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[]
