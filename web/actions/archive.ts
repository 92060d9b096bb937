import { state } from '../chat.ts'
import { answerFrom, blockOf, inBlocks, mayRead, mergeBlock, type PageOfMessages } from '../state/archive.ts'
import type { FetchedMessages, MessageWindow } from '../state/windows.ts'
import type { Message } from '../state/wire.ts'
import { digestOf } from './digest.ts'
import { keptMessages, toForget } from './offline.ts'
import { keepingToken, readSealed, removeSealed, writeSealed } from './sealed-store.ts'

/**
 * The messages that this browser has loaded, the newest of them within the limit that the user has chosen (`keptMessages`), for reading and
 * searching without a network. They lie in blocks of neighbouring ids, so that a new message costs the writing of one block.
 */

const INDEX = 'messages'
const nameOf = (block: number) => `messages ${block}`

interface BlockEntry {
  readonly count: number
  readonly bytes: number
  /** Channels of its messages. */
  readonly channels: readonly number[]
}

type Index = ReadonlyMap<number, BlockEntry>

/** Digests of what each block got last from this tab, so that what has not changed is not written again. */
const written = new Map<number, string | undefined>()

/** All kept messages, while the network is away. */
let loaded: Promise<readonly Message[]> | undefined

/** Several tabs of a browser keep the same archive. */
function alone<Result>(act: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? navigator.locks.request('parley archive', act) : act()
}

async function readIndex(): Promise<Map<number, BlockEntry>> {
  return new Map((await readSealed(INDEX)) as Index | undefined)
}

async function readBlock(block: number): Promise<readonly Message[]> {
  return ((await readSealed(nameOf(block))) as Message[] | undefined) ?? []
}

/** Returns how much is kept. */
export async function archiveSize(): Promise<Pick<BlockEntry, 'count' | 'bytes'>> {
  const entries = [...(await readIndex()).values()]
  const sum = (of: 'count' | 'bytes') => entries.reduce((all, entry) => all + entry[of], 0)
  return { count: sum('count'), bytes: sum('bytes') }
}

/** Adds what the page has loaded, and removes what is gone, or is more than may be kept. */
export function keepMessages(): Promise<void> {
  return alone(async () => {
    if (keepingToken() === undefined) return
    loaded = undefined
    const index = await readIndex()
    const known = inBlocks([...state.messages.values()].filter(({ id }) => !state.stale.has(id)))
    for (const [block, { channels }] of index)
      if (!known.has(block) && !channels.every((id) => mayRead(state, id))) known.set(block, [])
    for (const [block, messages] of known) {
      const digest = await digestOf(JSON.stringify(messages))
      const isWhole = index.get(block)?.channels.every((id) => mayRead(state, id))
      if (written.get(block) === digest && isWhole) continue
      await writeBlock(index, block, mergeBlock(state, await readBlock(block), messages))
      written.set(block, digest)
    }
    await forgetGone(index)
    await prune(index)
    await writeSealed(INDEX, index)
  })
}

/** Removes messages from the archive that events have said are gone, or are otherwise than they are kept. */
export function forgetMessages(): Promise<void> {
  return alone(async () => {
    loaded = undefined
    if (keepingToken() === undefined) toForget.clear()
    if (toForget.size === 0) return
    const index = await readIndex()
    await forgetGone(index)
    await writeSealed(INDEX, index)
  })
}

async function forgetGone(index: Map<number, BlockEntry>): Promise<void> {
  const gone = new Set(toForget)
  for (const block of new Set([...gone].map(blockOf))) {
    if (!index.has(block)) continue
    const left = (await readBlock(block)).filter(({ id }) => !gone.has(id))
    await writeBlock(index, block, left)
    written.delete(block)
  }
  for (const id of gone) toForget.delete(id)
}

async function writeBlock(
  index: Map<number, BlockEntry>,
  block: number,
  messages: readonly Message[],
): Promise<void> {
  const bytes = messages.length > 0 ? await writeSealed(nameOf(block), messages) : undefined
  if (bytes !== undefined) {
    const channels = [...new Set(messages.flatMap(({ stream_id }) => stream_id ?? []))]
    index.set(block, { count: messages.length, bytes, channels })
    return
  }
  await removeSealed(nameOf(block))
  index.delete(block)
}

/** Removes whole blocks, the oldest first. */
async function prune(index: Map<number, BlockEntry>): Promise<void> {
  let count = 0
  for (const [block, entry] of [...index].sort(([a], [b]) => b - a)) {
    count += entry.count
    if (count <= keptMessages.value) continue
    await removeSealed(nameOf(block))
    index.delete(block)
  }
}

/** Returns all kept messages. */
export function archived(): Promise<readonly Message[]> {
  loaded ??= readAll()
  return loaded
}

async function readAll(): Promise<readonly Message[]> {
  const index = await readIndex()
  const blocks = await Promise.all([...index.keys()].map(readBlock))
  return blocks.flat()
}

/** Answers a request for messages of a list from the archive; undefined if it has none of them. */
export async function answerFromArchive(
  window: MessageWindow,
  params: PageOfMessages,
): Promise<FetchedMessages | undefined> {
  const answer = answerFrom(state, await archived(), window.narrow, params)
  return answer.messages.length > 0 || window.ids.length > 0 ? answer : undefined
}
