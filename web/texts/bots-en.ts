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
  eventsHint: 'Of what it may see: of private channels only those that it is in.',
  inChannels: (count: number): string => `In ${count} ${count === 1 ? 'channel' : 'channels'} alone.`,
  deliveries: 'Last calls',
  noDeliveries: 'It has not been called yet.',
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
}

export type BotsTexts = typeof botsEn
