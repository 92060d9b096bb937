/** Each format of archives with whatever messages a test puts into it. */
import { discordReader } from '../../src/imports/discord-reader.ts'
import type { ImportReader } from '../../src/imports/import-reader.ts'
import { mattermostReader } from '../../src/imports/mattermost-reader.ts'
import { neutralReader } from '../../src/imports/neutral-reader.ts'
import { publicServerReader } from '../../src/imports/public-server-reader.ts'
import { exportFiles, slack } from './slack-export.ts'
import { tarOf } from './tar-builder.ts'
import { type ZipFile, zipOf } from './zip-builder.ts'

export interface Format {
  readonly reader: ImportReader
  /** JSON of a message with this text and number. */
  message(text: string, number: number): string
  /** An archive with these messages in one file, each as JSON or as what is none. */
  archive(messages: readonly string[]): Uint8Array
}

const T = 1_600_000_000

export const slackFiles = (messages: readonly string[]): ZipFile[] =>
  exportFiles({ 'general/2014-06-12.json': `[${messages.join(',')}]` })

const SLACK: Format = {
  reader: slack,
  message: (text, number) =>
    JSON.stringify({ type: 'message', user: 'U1', text, ts: `${T + number}.000100` }),
  archive: (messages) => zipOf(slackFiles(messages)),
}

export const mattermostFiles = (messages: readonly string[]): ZipFile[] => [
  {
    name: 'import.jsonl',
    content: [
      '{"type":"version","version":1}',
      '{"type":"team","team":{"name":"main","display_name":"Main","type":"O"}}',
      '{"type":"channel","channel":{"team":"main","name":"dev","display_name":"dev","type":"O"}}',
      '{"type":"user","user":{"username":"ada","email":"ada@example.com","roles":"system_user"}}',
      ...messages,
    ].join('\n'),
  },
]

const MATTERMOST: Format = {
  reader: mattermostReader as ImportReader,
  message: (text, number) =>
    JSON.stringify({
      type: 'post',
      post: { team: 'main', channel: 'dev', user: 'ada', message: text, create_at: (T + number) * 1_000 },
    }),
  archive: (messages) => zipOf(mattermostFiles(messages)),
}

export const publicServerFiles = (messages: readonly string[]): Record<string, string> => ({
  'zulip-export/realm.json': JSON.stringify({
    zerver_realm: [{ id: 2, string_id: 'acme', name: 'Acme' }],
    zerver_userprofile: [{ id: 7, full_name: 'Ada', role: 400, is_active: true }],
    zerver_stream: [{ id: 5, name: 'general' }],
    zerver_recipient: [{ id: 21, type: 2, type_id: 5 }],
  }),
  'zulip-export/messages-000001.json': `{"zerver_message":[${messages.join(',')}],"zerver_usermessage":[]}`,
})

const PUBLIC_SERVER: Format = {
  reader: publicServerReader as ImportReader,
  message: (content, id) =>
    JSON.stringify({ id, sender: 7, recipient: 21, subject: 'tea', content, date_sent: T + id }),
  archive: (messages) => tarOf(publicServerFiles(messages)),
}

const NEUTRAL: Format = {
  reader: neutralReader as ImportReader,
  message: (content, id) =>
    JSON.stringify({
      type: 'message',
      id: String(id),
      sender: 'u',
      time_ms: (T + id) * 1_000,
      content,
      channel: 'c',
      topic: 't',
    }),
  archive: (messages) =>
    new TextEncoder().encode(
      `{"type":"parley-import","version":1,"source":"test"}\n${messages.join('\n')}\n`,
    ),
}

const PARLEY: Format = {
  ...NEUTRAL,
  archive: (messages) =>
    tarOf({
      'export/parley-import.jsonl': '{"type":"parley-import","version":1,"source":"test"}\n',
      'export/messages/000001.jsonl': `${messages.join('\n')}\n`,
    }),
}

export const discordFiles = (name: string, messages: readonly string[]): ZipFile[] => [
  {
    name: `${name}.json`,
    content: `{"guild": {"id": "1", "name": "Acme"}, "channel": {"id": "5", "type": "GuildTextChat", "name": "general"}, "messages": [${messages.join(',')}]}`,
  },
]

const DISCORD: Format = {
  reader: discordReader as ImportReader,
  message: (content, number) =>
    JSON.stringify({
      id: String(number),
      type: 'Default',
      timestamp: new Date((T + number) * 1_000).toISOString(),
      content,
      author: { id: '7', name: 'ada' },
    }),
  archive: (messages) => zipOf(discordFiles('general', messages)),
}

export const FORMATS: readonly (readonly [name: string, format: Format])[] = [
  ['Slack', SLACK],
  ['Mattermost', MATTERMOST],
  ['public server', PUBLIC_SERVER],
  ['neutral', NEUTRAL],
  ['Parley', PARLEY],
  ['Discord', DISCORD],
]
