import { servicesEn } from './services-en.ts'

/** English texts of bots. */
export const botsEn = {
  nothing: 'No bots yet.',
  create: 'New bot',
  type: 'Type',
  types: {
    1: 'Generic: reads and sends messages',
    2: 'Incoming webhook: posts messages from a service',
    3: 'Outgoing webhook: calls your URL',
  },
  short: 'Username',
  url: 'Endpoint URL',
  showKey: 'Show key',
  deactivateQuestion: (name: string): string => `Deactivate ${name}?`,
  deactivateHint: 'Its API key stops working. Its messages stay.',
  signature: 'Signature',
  secretHint:
    'Requests are signed with this secret (Standard Webhooks). Copy it now: it won’t be shown again.',
  newSecret: 'New secret',
  newSecretQuestion: 'Create a new secret?',
  newSecretHint:
    'For a day, requests are signed with both secrets, so you have time to update your endpoint.',
  events: 'Event subscriptions',
  eventsHint: 'Only what the bot can see. In private channels, it has to be a member.',
  inChannels: (count: number): string => `Only in ${count} ${count === 1 ? 'channel' : 'channels'}.`,
  deliveries: 'Recent deliveries',
  noDeliveries: 'No deliveries yet.',
  noAnswer: 'no response',
  triggers: {
    direct_message: 'Direct message',
    mention: 'Mention',
    message: 'Message in a channel',
    reaction: 'Reaction',
    subscription: 'Someone joins a channel',
    new_person: 'New person',
  } as Readonly<Record<string, string>>,
  attempt: (number: number): string => `attempt ${number}`,
  took: (ms: number): string => `${ms} ms`,
  answer: 'Response',
  sendAgain: 'Redeliver',
  reload: 'Refresh',
  connect: 'Connect a service',
  service: 'Service',
  otherService: 'Other (custom template)',
  serviceEvents: 'Events',
  eventFilters: { all: 'All events', only: 'Only selected events', except: 'All except selected events' },
  postsTo: 'Posts to',
  toMe: 'A direct message to me',
  toDefault: 'The bot’s default channel, or me',
  topic: 'Topic',
  ownTopic: 'Chosen by the integration',
  options: {} as Readonly<Record<string, string>>,
  switches: { '': 'Default', true: 'Yes', false: 'No' },
  address: 'Webhook URL',
  addressHint: (service: string): string =>
    `Enter this in ${service || 'the service'}, with JSON as the content type. Anyone with this URL can post.`,
  services: servicesEn,
  stepsTitle: (service: string): string => `In ${service}`,
  looksLikeOther: 'URL format',
  addressForms: { own: 'Standard', other: (service: string): string => `${service}-compatible` },
  sendTest: 'Send test',
  testOutcomes: {
    sent: 'Test message sent.',
    nothing: 'The test arrived, but your event filter skips it.',
    refused: 'The test was rejected:',
  },
  testUnsigned: (service: string): string =>
    `The bot has a secret, with which only ${service} can sign. Let ${service} send a test.`,
  incoming: {
    title: 'Recent posts',
    nothing: 'No posts yet.',
    outcomes: { sent: 'Sent', nothing: 'Skipped', refused: 'Rejected' },
  },
  signs: (service: string, where: string): string => `${service}: ${where}.`,
  signsNothing: (service: string): string =>
    `${service} doesn’t sign its posts. With a secret set, they’ll all be rejected.`,
  whichChannels: 'Channels',
  allChannels: 'All channels it can see',
  someChannels: 'Only selected channels',
  secret: 'Secret',
  incomingSecretHint: 'Enter the same secret in the service. Posts without a valid signature are rejected.',
  secrets: (count: number): string =>
    count === 0
      ? 'No secret. Signatures aren’t checked.'
      : count === 1
        ? 'A secret is set.'
        : 'Two secrets work: the current one and the previous one.',
  setSecret: 'Set secret',
  replaceSecret: 'Replace secret',
  keepSecret: 'Keep accepting the previous secret',
  removeSecret: 'Remove secret',
  removeSecretQuestion: 'Remove the secret?',
  removeSecretHint: 'Signatures will no longer be checked: anyone with the URL can post.',
  mentions: 'Mentions',
  allowsMentions: 'Let mentions notify people',
  allowsMentionsHint: 'Anyone who can write in the service will be able to notify people here.',
  template: {
    title: 'Template',
    hint: 'Turn any JSON into a message. Without a message template, the JSON itself is posted.',
    topic: 'Topic template',
    text: 'Message template',
    sample: 'Sample payload (JSON)',
    preview: 'Preview',
    noJson: 'Enter a JSON object or array.',
    save: 'Save template',
    syntax: [
      ['{{host.name}}', 'a value from the payload; array items count from 0: {{files.0.name}}'],
      ['{{finished_at | time}}', 'a time in each reader’s time zone'],
      ['{{files | list: name}}', 'one line per item'],
      ['{{owner | default: "nobody"}}', 'text for an empty value'],
      ['| raw, | quote, | code', 'a value as Markdown, a quote or code'],
    ] as readonly (readonly [string, string])[],
  },
}

export type BotsTexts = typeof botsEn
