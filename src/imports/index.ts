import { discordReader } from './discord-reader.ts'
import {
  type FormatSearch,
  type ImportArchive,
  type ImportReader,
  ImportRefusedError,
  type Looking,
} from './import-reader.ts'
import { mattermostReader } from './mattermost-reader.ts'
import { neutralReader } from './neutral-reader.ts'
import { publicServerReader } from './public-server-reader.ts'
import { rocketChatReader } from './rocket-chat-reader.ts'
import { slackReader } from './slack-reader.ts'

/** The formats of archives that can be imported. */
const IMPORT_READERS: readonly ImportReader[] = [
  neutralReader as ImportReader,
  slackReader as ImportReader,
  mattermostReader as ImportReader,
  publicServerReader as ImportReader,
  discordReader as ImportReader,
  rocketChatReader as ImportReader,
]

const FROM_THE_START: Looking = { at: 0, looked: 0 }

/** Looks for the format of an archive in one step. Returns where the next one goes on, or undefined for an unknown format. */
export async function lookForReader(
  archive: ImportArchive,
  from: FormatSearch = { ...FROM_THE_START, reader: 0 },
): Promise<ImportReader | FormatSearch | undefined> {
  for (const [at, reader] of IMPORT_READERS.entries()) {
    if (at < from.reader) continue
    const { at: position, looked } = at === from.reader ? from : FROM_THE_START
    const found = await reader.recognises(archive, { at: position, looked })
    if (found === true) return reader
    if (found !== false) return { ...found, reader: at }
  }
  return undefined
}

/** Finds the format of an archive, in as many steps as that takes. */
export async function findReaderOf(archive: ImportArchive): Promise<ImportReader | undefined> {
  let found = await lookForReader(archive)
  while (found && 'reader' in found) found = await lookForReader(archive, found)
  return found
}

/** @throws ImportRefusedError for a format that only an earlier build has read */
export function readerNamed(name: string): ImportReader {
  const reader = IMPORT_READERS.find((one) => one.name === name)
  if (!reader) throw new ImportRefusedError(`This version does not read the format ${name} any more`)
  return reader
}
