import type { Plain } from '../../imports/import-reader.ts'

/** The job that imports archives. */
export const IMPORT_ORGANIZATION = 'import-organization'

/** Progress of an import, stored with each step, so that the object may die at any moment. */
export type ImportProgress =
  | UnpackingProgress
  | RecognisingProgress
  | ReadingProgress
  | WaitingProgress
  | WritingThingsProgress
  | CopyingFilesProgress
  | WritingMessagesProgress
  | TidyingProgress
  | CheckingUndoProgress
  | UndoingProgress

/** An archive that is packed as a whole is unpacked, into parts in R2. */
export interface UnpackingProgress {
  readonly stage: 'unpack'
  /** Parts that are stored, and their bytes. */
  readonly parts: number
  readonly bytes: number
  /** Parts that the present reading has come to, and the number of readings: each begins at the start of the archive. */
  readonly read: number
  readonly readings: number
}

/** The format is found, and the archive is divided into units. */
export interface RecognisingProgress {
  readonly stage: 'recognise'
}

/** Units are read, into pieces in R2. Nothing of the organization is changed. */
export interface ReadingProgress {
  readonly stage: 'read'
  /** The next unit, and the number of all. */
  readonly unit: number
  readonly units: number
  readonly pieces: number
  /** The state of the reader (imports/import-reader.ts). */
  readonly state: { readonly [key: string]: Plain }
}

/** All is read and counted: an owner decides. */
export interface WaitingProgress {
  readonly stage: 'wait'
}

/** People, groups and channels are written, one type after the other; and what needs the messages, after them. */
export interface WritingThingsProgress {
  readonly stage: 'things'
  /** Index in THINGS_IN_ORDER. */
  readonly step: number
  /** Number of the piece among those of the type, and the line in it. */
  readonly piece: number
  readonly line: number
}

/** Files and pictures are copied. */
export interface CopyingFilesProgress {
  readonly stage: 'files'
  /** Position of the piece among those with files, and the line in it. */
  readonly piece: number
  readonly line: number
}

/** Messages are written, by time. */
export interface WritingMessagesProgress {
  readonly stage: 'messages'
  /** Bytes of each run that are written, by the position of its piece. */
  readonly offsets: readonly (readonly [piece: number, bytes: number])[]
  readonly messages: number
  /** Since when it goes on without a pause (UNIX seconds), and how many messages had been written then. */
  readonly mark?: { readonly at: number; readonly messages: number }
}

/** The pieces are deleted. */
export interface TidyingProgress {
  readonly stage: 'tidy'
  readonly outcome: ImportOutcome
}

/** Before an import is undone: it is looked at what depends on it. */
export interface CheckingUndoProgress {
  readonly stage: 'check'
  /** Index in CHECKED_TYPES, and the id there of the last thing that was looked at. */
  readonly step: number
  readonly after: string
}

/** The progress of an undo. */
export interface UndoingProgress {
  readonly stage: 'undo'
  /** Index in UNDO_IN_ORDER, and the id there of the last thing that was looked at. */
  readonly step: number
  readonly after: string
}

export type ImportOutcome = 'finished' | 'cancelled' | 'failed' | 'undone'

export const FIRST_PROGRESS: ImportProgress = { stage: 'recognise' }

/** An owner's decisions before anything is written. */
export interface ImportMapping {
  /** Accounts that people of the source have here already, by their ids there. */
  readonly users: Readonly<Record<string, number>>
  /** Channels here into which those of the source go, by their ids there. */
  readonly channels: Readonly<Record<string, number>>
  /** Names of profile fields, by their ids there. */
  readonly profile_fields: Readonly<Record<string, string>>
  /** The topic of messages that have none there. */
  readonly topic: string
  readonly private_channels: boolean
  readonly direct_messages: boolean
  /** Whether the organization becomes what the source was: its settings and permissions, and those of the owner who imports. */
  readonly settings: boolean
}

export const FIRST_MAPPING: ImportMapping = {
  users: {},
  channels: {},
  profile_fields: {},
  topic: 'imported',
  private_channels: true,
  direct_messages: true,
  settings: false,
}
