/** The people of Harbour Books, the demo organization, their channels, and the topics of each. */

export interface DemoPerson {
  full_name: string
  email: string
  role: 'owner' | 'administrator' | 'moderator' | 'member' | 'guest'
  /** The minutes between their last activity and the first start; 0 if they are active. */
  awayMinutes: number
  status?: { status_text: string; emoji_name: string }
}

export const DEMO_PASSWORD = 'harbour-books'

/** The people. The owner comes first; others are referred to by their index in this list. */
export const DEMO_PEOPLE: readonly [DemoPerson, ...DemoPerson[]] = [
  { full_name: 'Ada Lindqvist', email: 'ada@example.com', role: 'owner', awayMinutes: 0 },
  { full_name: 'Tomás Herrera', email: 'tomas@example.com', role: 'administrator', awayMinutes: 0 },
  { full_name: 'Imani Okoye', email: 'imani@example.com', role: 'moderator', awayMinutes: 3 },
  {
    full_name: 'Jun Watanabe',
    email: 'jun@example.com',
    role: 'member',
    awayMinutes: 0,
    status: { status_text: 'On the quay until four', emoji_name: 'boat' },
  },
  {
    full_name: 'Clara Moreau',
    email: 'clara@example.com',
    role: 'member',
    awayMinutes: 45,
    status: { status_text: 'At the book fair', emoji_name: 'books' },
  },
  { full_name: 'Piotr Zieliński', email: 'piotr@example.com', role: 'member', awayMinutes: 0 },
  {
    full_name: 'Leila Haddad',
    email: 'leila@example.com',
    role: 'member',
    awayMinutes: 1560,
    status: { status_text: 'Back on Monday', emoji_name: 'palm_tree' },
  },
  {
    full_name: 'Ravi Menon',
    email: 'ravi@example.com',
    role: 'member',
    awayMinutes: 9,
    status: { status_text: 'Stocktaking', emoji_name: 'memo' },
  },
  { full_name: 'Nora Byrne (Quay Press)', email: 'nora@example.com', role: 'guest', awayMinutes: 240 },
]

/** A generic bot of the owner. Its index follows those of the people. */
export const DEMO_BOT = { full_name: 'Till', short_name: 'till' }
export const DEMO_BOT_INDEX = DEMO_PEOPLE.length

export type DemoTheme = 'shop' | 'books' | 'web' | 'life' | 'money' | 'place'

export interface DemoChannel {
  name: string
  description: string
  /** Subjects of the channel's conversations, which are in `demo-conversations.ts`. */
  themes: readonly DemoTheme[]
  topics: readonly string[]
  /** Indexes into DEMO_PEOPLE. */
  people: readonly number[]
  invite_only?: true
}

const EVERYONE = DEMO_PEOPLE.map((_, index) => index)
const STAFF = EVERYONE.filter((index) => DEMO_PEOPLE[index]?.role !== 'guest')

export const DEMO_CHANNELS: readonly DemoChannel[] = [
  {
    name: 'general',
    description: 'What concerns all of us.',
    themes: ['life', 'shop', 'place'],
    topics: [
      'welcome',
      'keys and alarm',
      'holiday plans',
      'lost and found',
      'staff day',
      'parking at the quay',
    ],
    people: EVERYONE,
  },
  {
    name: 'shop floor',
    description: 'The day in the shop: rota, tills, tables, customers.',
    themes: ['shop'],
    topics: ['rota', 'window display', 'card reader', 'children’s corner', 'Saturday rush', 'wrapping paper'],
    people: STAFF,
  },
  {
    name: 'new titles',
    description: 'What comes in, what we order, what we send back.',
    themes: ['books', 'money'],
    topics: [
      'autumn list',
      'poetry shelf',
      'translations',
      'returns',
      'proofs to give away',
      'signed copies',
    ],
    people: STAFF,
  },
  {
    name: 'web shop',
    description: 'The site: orders, faults, releases.',
    themes: ['web'],
    topics: ['checkout errors', 'search results', 'release 4.2', 'newsletter sign-up', 'slow product pages'],
    people: STAFF,
  },
  {
    name: 'deliveries',
    description: 'Parcels, pallets, carriers.',
    themes: ['shop', 'money'],
    topics: ['Thursday van', 'damaged boxes', 'carrier contract', 'click and collect', 'island orders'],
    people: STAFF,
  },
  {
    name: 'events',
    description: 'Readings, signings and the festival. Our publisher friends are here too.',
    themes: ['books', 'place'],
    topics: ['harbour festival', 'poetry night', 'school visits', 'author dinner', 'chairs and microphones'],
    people: [0, 1, 2, 4, 6, 8],
  },
  {
    name: 'reading group',
    description: 'One book a month, first Tuesday, back room.',
    themes: ['books', 'life'],
    topics: ['next book', 'this month', 'who brings what', 'spoilers welcome'],
    people: [0, 2, 3, 4, 6, 7],
  },
  {
    name: 'customer letters',
    description: 'Questions, praise and complaints that need an answer.',
    themes: ['shop', 'books'],
    topics: ['out of print', 'gift cards', 'late parcels', 'thank-you notes', 'school orders'],
    people: [1, 2, 3, 5, 6, 7],
  },
  {
    name: 'building',
    description: 'Roof, heating, lift, and whoever has to call whom.',
    themes: ['place'],
    topics: ['roof leak', 'heating', 'lift inspection', 'new shelves', 'front door'],
    people: [0, 1, 3, 5, 7],
  },
  {
    name: 'accounts',
    description: 'Figures. Private.',
    themes: ['money'],
    topics: ['quarter', 'supplier terms', 'rent', 'till differences'],
    people: [0, 1, 2],
    invite_only: true,
  },
  {
    name: 'till reports',
    description: 'Written by the till itself, every evening.',
    themes: ['money'],
    topics: ['daily takings'],
    people: [0, 1, 2, 3, 5, DEMO_BOT_INDEX],
  },
]

/** Direct conversations: two people, or a few. */
export const DEMO_DIRECT: readonly { people: readonly number[]; themes: readonly DemoTheme[] }[] = [
  { people: [0, 1], themes: ['money', 'place'] },
  { people: [0, 2], themes: ['shop', 'life'] },
  { people: [0, 4], themes: ['books'] },
  { people: [2, 6], themes: ['life', 'books'] },
  { people: [3, 5], themes: ['shop', 'life'] },
  { people: [1, 7], themes: ['web'] },
  { people: [4, 8], themes: ['books', 'place'] },
  { people: [0, 1, 2], themes: ['money', 'shop'] },
  { people: [3, 5, 7], themes: ['web', 'life'] },
  { people: [0, 4, 6], themes: ['books', 'place'] },
]
