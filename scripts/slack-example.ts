/** An export of an imaginary workspace in Slack's form, with ten conversations that have one of each kind of thing, for looking at the result of an import. */
import { crc32 } from 'node:zlib'

const [ADA, BEN, CLEO, DAN, GONE] = ['U01ADA', 'U02BEN', 'U03CLEO', 'U04DAN', 'U05GONE'] as const
/** Monday, 6 July 2026, 09:00 UTC. */
const START = 1_783_328_400

type Item = Readonly<Record<string, unknown>>

const person = (id: string, name: string, more: Item = {}): Item => ({
  id,
  team_id: 'T01HARBOUR',
  name: name.toLowerCase().split(' ')[0],
  tz: 'Europe/Berlin',
  profile: { real_name: name, email: `${name.toLowerCase().split(' ')[0]}@harbour.example`, title: '' },
  ...more,
})

const PEOPLE: readonly Item[] = [
  person(ADA, 'Ada Amsel', { is_primary_owner: true, is_owner: true, is_admin: true }),
  person(BEN, 'Ben Brandt'),
  person(CLEO, 'Cleo Cruz'),
  person(DAN, 'Dan Dorn'),
  person(GONE, 'Gus Gone', { deleted: true }),
]

const channel = (id: string, name: string, purpose: string, more: Item = {}): Item => ({
  id,
  name,
  created: START - 86_400 * 365,
  creator: ADA,
  members: [ADA, BEN, CLEO, DAN],
  purpose: { value: purpose },
  topic: { value: '' },
  ...more,
})

/** A message `minute` minutes after the start. */
const said = (minute: number, user: string, text: string, more: Item = {}): Item => ({
  type: 'message',
  user,
  text,
  ts: timeOf(minute),
  ...more,
})

function timeOf(minute: number): string {
  return `${START + minute * 60}.000100`
}

const reaction = (name: string, ...users: string[]): Item => ({ name, users, count: users.length })
const reply = (minute: number, root: number, user: string, text: string, more: Item = {}): Item =>
  said(minute, user, text, { thread_ts: timeOf(root), parent_user_id: BEN, ...more })

/** Rich text, as Slack's own editor writes it. */
const rich = (...elements: Item[]): Item => ({
  blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
})

function conversationsWith(picture: string): Readonly<Record<string, readonly Item[]>> {
  const file = (id: string, name: string, mimetype: string): Item => ({
    id,
    name,
    title: name,
    mimetype,
    user: CLEO,
    created: START,
    url_private: `https://files.slack.com/files-pri/T01HARBOUR-${id}/${name}`,
  })
  return {
    general: [
      said(0, ADA, 'Welcome to the harbour office :wave: The plan for the week is in <#C03DESIGN|design>.', {
        reactions: [reaction('wave', BEN, CLEO, DAN), reaction('tada::skin-tone-3', BEN)],
      }),
      said(4, BEN, `Thanks <@${ADA}>! Who has the keys to the *boat house*?`),
      said(9, DAN, 'I have them until _Thursday_.', { edited: { user: DAN, ts: timeOf(11) } }),
      said(15, CLEO, '<!here> the crane is out of order ~until noon~ all day', {
        reactions: [reaction('eyes', ADA, BEN), reaction('+1', DAN)],
      }),
    ],
    engineering: [
      said(60, BEN, 'The pump of pier 3 stops every few hours. Any idea where to look first?', {
        thread_ts: timeOf(60),
        reply_count: 4,
        reactions: [reaction('thinking_face', CLEO)],
      }),
      reply(64, 60, CLEO, 'I would start with the fuse. Last time it was this:', {
        ...rich(
          { type: 'text', text: 'I would start with the ' },
          { type: 'text', text: 'fuse', style: { bold: true } },
          { type: 'text', text: '. Last time it was the one in ' },
          { type: 'text', text: 'box-7', style: { code: true } },
          { type: 'text', text: ', see ' },
          { type: 'link', url: 'https://docs.example.com/pumps', text: 'the page on pumps' },
        ),
      }),
      reply(70, 60, BEN, '```pump3: current 14.2 A (limit 13 A)\npump3: stopped```'),
      reply(75, 60, ADA, `That is the motor, not the fuse. <@${DAN}>, can you order a new one?`, {
        reactions: [reaction('+1', BEN, CLEO), reaction('moneybag', DAN)],
      }),
      reply(92, 60, DAN, 'Ordered :white_check_mark: It comes on Friday.', {
        edited: { user: DAN, ts: timeOf(95) },
      }),
      said(
        120,
        CLEO,
        'Release 2.4 is out: <https://example.com/releases/2.4|what is new>\n• tides by the hour\n• dark theme',
      ),
    ],
    design: [
      said(180, CLEO, 'The new page, with the conversation in the middle:', {
        files: [file('F01PAGE', picture, 'image/png')],
        reactions: [reaction('heart_eyes', ADA, BEN), reaction('fire', DAN)],
      }),
      said(185, ADA, 'Lovely. The notes from this morning:', {
        files: [file('F02NOTES', 'notes.txt', 'text/plain')],
      }),
      said(190, BEN, `<@${CLEO}> could we have it in the colours of the flag?`),
    ],
    incidents: [
      said(240, DAN, 'Power is out at the east gate :rotating_light:', {
        thread_ts: timeOf(240),
        reply_count: 2,
        reactions: [reaction('rotating_light', ADA, BEN, CLEO)],
      }),
      reply(243, 240, ADA, 'On my way.'),
      reply(270, 240, DAN, 'Back since 13:29. It was the sea.', { subtype: 'thread_broadcast' }),
    ],
    random: [
      said(300, GONE, 'My last day today. Thank you all :heart:', {
        reactions: [reaction('heart', ADA, BEN, CLEO, DAN)],
      }),
      said(305, BEN, 'Fair winds, <@U05GONE>!'),
    ],
    builds: [
      {
        type: 'message',
        subtype: 'bot_message',
        bot_id: 'B01BUILD',
        username: 'Build',
        ts: timeOf(310),
        text: 'Build <https://example.com/builds/812|#812> passed in 3 min 12 s',
        attachments: [{ color: '2eb886', title: 'main', text: '*14 commits* since 2.3' }],
      },
    ],
    leads: [said(330, ADA, 'Budget for the crane: 12 000. Agreed?'), said(332, BEN, 'Agreed.')],
    'old-site': [said(-9_000, CLEO, 'The old site is closed. Write in <#C03DESIGN|design> from now on.')],
    D01BEN: [
      said(400, ADA, 'Do you have five minutes?', { thread_ts: timeOf(400), reply_count: 1 }),
      reply(402, 400, BEN, 'At eleven, in the boat house.'),
      said(403, ADA, ':+1:'),
    ],
    'mpdm-ada--ben--cleo-1': [
      said(420, CLEO, 'Surprise for Dan on Friday?'),
      said(421, ADA, 'Yes! Cake at three :cake:', { reactions: [reaction('cake', BEN, CLEO)] }),
    ],
  }
}

/** Returns the archive. `picture`: bytes of a PNG that a user has sent. */
export function slackExample(picture: Uint8Array): Uint8Array {
  const lists = {
    'users.json': PEOPLE,
    'channels.json': [
      channel('C01GENERAL', 'general', 'What concerns everybody', { is_general: true }),
      channel('C02ENG', 'engineering', 'Pumps, cranes and software'),
      channel('C03DESIGN', 'design', 'How it looks'),
      channel('C04INC', 'incidents', 'What is broken now'),
      channel('C05RANDOM', 'random', ''),
      channel('C06BUILDS', 'builds', ''),
      channel('C07OLD', 'old-site', 'Closed', { is_archived: true }),
    ],
    'groups.json': [channel('G01LEADS', 'leads', 'Budgets', { members: [ADA, BEN] })],
    'dms.json': [{ id: 'D01BEN', created: START, members: [ADA, BEN] }],
    'mpims.json': [
      {
        id: 'G02MPDM',
        name: 'mpdm-ada--ben--cleo-1',
        created: START,
        creator: CLEO,
        members: [ADA, BEN, CLEO],
      },
    ],
  }
  const days = Object.entries(conversationsWith('page.png')).map(([folder, messages]): [string, unknown] => [
    `${folder}/2026-07-06.json`,
    messages,
  ])
  const files: [string, Uint8Array][] = [...Object.entries(lists), ...days].map(([name, content]) => [
    name,
    new TextEncoder().encode(JSON.stringify(content, null, 4)),
  ])
  files.push(['__uploads/F01PAGE/page.png', picture])
  files.push(['__uploads/F02NOTES/notes.txt', new TextEncoder().encode('Crane: Monday\nPump: Friday\n')])
  return zipOf(files)
}

/** Returns a ZIP of files that are stored as they are. */
function zipOf(files: readonly (readonly [name: string, content: Uint8Array])[]): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of files) {
    const encoded = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt32LE(crc32(content), 14)
    local.writeUInt32LE(content.length, 18)
    local.writeUInt32LE(content.length, 22)
    local.writeUInt16LE(encoded.length, 26)
    const record = Buffer.alloc(46)
    record.writeUInt32LE(0x02014b50, 0)
    local.copy(record, 16, 14, 28)
    record.writeUInt32LE(at, 42)
    directory.push(record, encoded)
    parts.push(local, encoded, Buffer.from(content))
    at += local.length + encoded.length + content.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(at, 16)
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]))
}
