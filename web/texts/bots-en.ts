import { servicesEn } from './services-en.ts'

/** English texts of bots. */
export const botsEn = {
  nothing: 'You have no bots.',
  create: 'New bot',
  type: 'Kind',
  types: {
    1: 'Generic: reads and writes',
    2: 'Incoming webhook: writes',
    3: 'Outgoing webhook: is called',
  },
  short: 'Short name, for its address',
  url: 'Address that is called',
  showKey: 'Show key',
  deactivateQuestion: (name: string): string => `Deactivate ${name}?`,
  deactivateHint: 'Its key is worth nothing then. What it wrote stays.',
  signature: 'Signature',
  secretHint: 'Calls are signed with a secret, as Standard Webhooks says. It is shown only here, only now.',
  newSecret: 'New secret',
  newSecretQuestion: 'Make a new secret?',
  newSecretHint:
    'Both sign for a day, so that you can change the receiver meanwhile. Then only the new one does.',
  events: 'Also called for',
  eventsHint: 'Only what it can see: of private channels, only those it’s in.',
  inChannels: (count: number): string => `In ${count} ${count === 1 ? 'channel' : 'channels'} alone.`,
  deliveries: 'Last calls',
  noDeliveries: 'It hasn’t been called yet.',
  noAnswer: 'no answer',
  triggers: {
    direct_message: 'Direct message',
    mention: 'Mention',
    message: 'Message in a channel',
    reaction: 'Reaction',
    subscription: 'Somebody joins a channel',
    new_person: 'New person',
  } as Readonly<Record<string, string>>,
  attempt: (number: number): string => `try ${number}`,
  took: (ms: number): string => `${ms} ms`,
  answer: 'Answer',
  sendAgain: 'Send again',
  reload: 'Look again',
  connect: 'Connect a service',
  service: 'Service',
  otherService: 'Another service, with a template',
  serviceEvents: 'Events',
  eventFilters: { all: 'All events', only: 'Only the chosen events', except: 'All but the chosen events' },
  postsTo: 'Posts to',
  toMe: 'Direct message to me',
  toDefault: 'The bot’s default channel, or me',
  topic: 'Topic',
  ownTopic: 'Chosen by the integration',
  options: {} as Readonly<Record<string, string>>,
  switches: { '': 'Default', true: 'Yes', false: 'No' },
  address: 'Address for the service',
  addressHint: (service: string): string =>
    `Enter it as the webhook URL at ${service || 'the service'}, with JSON as the content type. Anyone who has it can post.`,
  services: servicesEn,
  stepsTitle: (service: string): string => `At ${service}`,
  looksLikeOther: 'Form of the address',
  addressForms: { own: 'Of this server', other: (service: string): string => `Like ${service}’s` },
  sendTest: 'Send a test',
  testOutcomes: {
    sent: 'Sent. Look where the posts are to come.',
    nothing: 'It arrived, and the choices above leave it out.',
    refused: 'It was refused:',
  },
  testUnsigned: (service: string): string =>
    `The bot has a secret, with which only ${service} can sign. Let ${service} send a test.`,
  incoming: {
    title: 'Last posts',
    nothing: 'Nothing has been posted yet.',
    outcomes: { sent: 'Sent', nothing: 'Left out', refused: 'Refused' },
  },
  signs: (service: string, where: string): string => `${service}: ${where}.`,
  signsNothing: (service: string): string =>
    `${service} signs nothing: with a secret all its posts are refused.`,
  whichChannels: 'Channels',
  allChannels: 'All that it can see',
  someChannels: 'Only the chosen channels',
  secret: 'Secret',
  incomingSecretHint:
    'Enter the same secret at the service, which signs its posts with it. Posts without a valid signature are refused.',
  secrets: (count: number): string =>
    count === 0
      ? 'No secret: signatures are not checked.'
      : count === 1
        ? 'A secret is set.'
        : 'Two secrets are valid: the newest and the previous one.',
  setSecret: 'Set secret',
  replaceSecret: 'Replace secret',
  keepSecret: 'Keep the previous secret valid too',
  removeSecret: 'Remove secret',
  removeSecretQuestion: 'Remove the secret?',
  removeSecretHint: 'Signatures are no longer checked: anyone who has the address can post.',
  mentions: 'Mentions',
  allowsMentions: 'Mentions notify people',
  allowsMentionsHint: 'Anyone who can write in the service can then mention people here.',
  template: {
    title: 'Template',
    hint: 'Turns any JSON into a message. Without a text template the message shows the JSON.',
    topic: 'Topic template',
    text: 'Text template',
    sample: 'Sample payload (JSON)',
    preview: 'Preview',
    noJson: 'This is not a JSON object or list.',
    save: 'Save template',
    syntax: [
      ['{{host.name}}', 'a value of the payload; list items are numbered from 0: {{files.0.name}}'],
      ['{{finished_at | time}}', 'a time in each reader’s time zone'],
      ['{{files | list: name}}', 'one line for each item'],
      ['{{owner | default: "nobody"}}', 'text for an empty value'],
      ['| raw, | quote, | code', 'a value as Markdown, a quote or code'],
    ] as readonly (readonly [string, string])[],
  },
}

export type BotsTexts = typeof botsEn
