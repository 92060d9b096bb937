import type { ImportReader } from '../../src/imports/import-reader.ts'
import { slackReader } from '../../src/imports/slack-reader.ts'
import { type ReadArchive, readArchive } from './read-archive.ts'
import { archiveOf, type ZipFile, zipOf } from './zip-builder.ts'

export const slack = slackReader as ImportReader

/** A person of the tests, as users.json has one. */
export function slackUser(id: string, name: string, more: object = {}): object {
  return {
    id,
    team_id: 'T1',
    name: name.toLowerCase().replaceAll(' ', '.'),
    profile: { real_name: name },
    ...more,
  }
}

export function slackChannel(id: string, name: string, more: object = {}): object {
  return { id, name, created: 1400000000, creator: 'U1', members: ['U1', 'U2'], ...more }
}

/** The files of an export: those given, and people and a channel in place of what is not. */
export function exportFiles(files: Readonly<Record<string, unknown>>): ZipFile[] {
  const all: Record<string, unknown> = {
    'users.json': [slackUser('U1', 'Ada Amsel'), slackUser('U2', 'Ben Brandt')],
    'channels.json': [slackChannel('C1', 'general', { is_general: true })],
    ...files,
  }
  return Object.entries(all).map(([name, content]) => ({
    name,
    content: typeof content === 'string' ? content : slackJson(content),
  }))
}

/** Writes JSON as Slack does: slashes and all signs above ASCII are escaped. */
function slackJson(value: unknown): string {
  return JSON.stringify(value, null, 4)
    .replaceAll('/', '\\/')
    .replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function readExport(files: Readonly<Record<string, unknown>>): Promise<ReadArchive> {
  return readArchive(slack, archiveOf(zipOf(exportFiles(files))))
}

/** Reads messages of one day in the channel `general`. */
export function readMessages(...messages: unknown[]): Promise<ReadArchive> {
  return readExport({ 'general/2014-06-12.json': messages })
}

let last = 1_402_560_000

/** A message of Ada's, a second after the one before. */
export function said(text: string | null, more: object = {}): { ts: string } & Record<string, unknown> {
  last += 1
  return { type: 'message', user: 'U1', text, ts: `${last}.000200`, ...more }
}
