import { NO_ALERT_WORDS } from '../../src/markdown/alert-words.ts'
import type { MarkdownLookups } from '../../src/markdown/render.ts'

/** The organization in which the tests render: its people, groups, channels, emoji and rules. */
const users = [
  { id: 7, fullName: 'Ada Lovelace', isActive: true },
  { id: 8, fullName: 'Iago', isActive: true },
  { id: 12, fullName: 'Sam Twin', isActive: true },
  { id: 11, fullName: 'Sam Twin', isActive: false },
  { id: 13, fullName: 'Sam Twin', isActive: true },
  { id: 20, fullName: 'Gone Person', isActive: false },
  { id: 21, fullName: "Zoë O'Neil-Çelik (QA)", isActive: true },
  { id: 22, fullName: 'Pipe|Name', isActive: true },
  { id: 23, fullName: '王小明', isActive: true },
]

const groups = [
  { id: 31, name: 'support', isDeactivated: false },
  { id: 32, name: 'old team', isDeactivated: true },
  { id: 5, name: 'role:administrators', isDeactivated: false },
  { id: 6, name: 'role:members', isDeactivated: false },
]

const channels = [
  { id: 9, name: 'announce' },
  { id: 10, name: 'mobile team' },
  { id: 14, name: 'a>b' },
  { id: 15, name: 'Ünï. (code) 50%' },
]

export const lookups: MarkdownLookups = {
  usersNamed: (name) => users.filter((user) => user.fullName.toLowerCase() === name.toLowerCase()),
  userById: (id) => users.find((user) => user.id === id),
  groupNamed: (name) => groups.find((group) => group.name === name),
  channelNamed: (name) => channels.find((channel) => channel.name.toLowerCase() === name.toLowerCase()),
  customEmoji: (name) =>
    name === 'parley' ? { id: '3', sourceUrl: '/user_avatars/2/emoji/images/3.png' } : undefined,
  linkifiers: [],
  alertWords: NO_ALERT_WORDS,
  realmUrl: 'https://chat.example.com',
  translateEmoticons: false,
  inlineImagePreview: true,
  defaultCodeBlockLanguage: '',
  emptyTopicDisplayName: 'general chat',
}
