import { discordReader } from './discord-reader.ts'
import type { ImportArchive, ImportReader } from './import-reader.ts'
import { mattermostReader } from './mattermost-reader.ts'
import { neutralReader } from './neutral-reader.ts'
import { parleyReader } from './parley-reader.ts'
import { publicServerReader } from './public-server-reader.ts'
import { rocketChatReader } from './rocket-chat-reader.ts'
import { slackReader } from './slack-reader.ts'

/** The formats of archives that can be imported. */
const IMPORT_READERS: readonly ImportReader[] = [
  neutralReader as ImportReader,
  slackReader as ImportReader,
  mattermostReader as ImportReader,
  publicServerReader as ImportReader,
  parleyReader as ImportReader,
  discordReader as ImportReader,
  rocketChatReader as ImportReader,
]

/** Finds the format of an archive. */
export async function findReaderOf(archive: ImportArchive): Promise<ImportReader | undefined> {
  for (const reader of IMPORT_READERS) if (await reader.recognises(archive)) return reader
  return undefined
}

/** @throws Error for an unknown format */
export function readerNamed(name: string): ImportReader {
  const reader = IMPORT_READERS.find((one) => one.name === name)
  if (!reader) throw new Error(`There is no reader of archives called ${name}`)
  return reader
}
