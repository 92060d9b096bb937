import { batch, signal } from '@preact/signals'
import { type ApiEvent, browserSocket, type Connection, EventLoop, sessionOfEarly } from '../api/index.ts'
import { adoptState, flush, state } from '../chat.ts'
import { applyEvents } from '../state/apply-event.ts'
import type { Move } from '../state/conversation.ts'
import { createState, renewState } from '../state/create-state.ts'
import { isMutedPerson } from '../state/muted-people.ts'
import { restoreUnsent, sendsToRetry, unsentMessages } from '../state/outbox.ts'
import type { Message, Snapshot, WireEvent } from '../state/wire.ts'
import { REGISTER_OPTIONS } from '../state/wire.ts'
import { readStored, store } from '../ui/stored.ts'
import { api } from './call.ts'
import { fetchWanted, refreshOpenWindows, refreshWithoutEvents } from './message-windows.ts'
import { shownSince, toForget } from './offline.ts'
import { sendAgain } from './sending.ts'

export const connection = signal<Connection>({ kind: 'connecting' })

/** The number of snapshots so far. Nothing of the room can be drawn before the first. */
export const snapshots = signal(0)

type NewMessageListener = (message: Message) => void
const newMessageListeners = new Set<NewMessageListener>()

/** Calls the listener with messages of others, as they arrive. */
export function onNewMessage(listener: NewMessageListener): () => void {
  newMessageListeners.add(listener)
  return () => newMessageListeners.delete(listener)
}

type MoveListener = (move: Move) => void
const moveListeners = new Set<MoveListener>()

/** Calls the listener with moves of messages, before anything is drawn again. */
export function onMove(listener: MoveListener): () => void {
  moveListeners.add(listener)
  return () => moveListeners.delete(listener)
}

type MessagesListener = (ids: readonly number[]) => void
const changeListeners = new Set<MessagesListener>()

/** Calls the listener with messages that were deleted or changed, loaded or not. */
export function onMessagesChanged(listener: MessagesListener): void {
  changeListeners.add(listener)
}

/** Milliseconds for which an event may come later than the answer to its request. */
const EVENT_DELAY_MS = 2_000

/** Resolves once the page knows that a message is no longer where it was. */
export function untilMoved({ id, stream_id, subject }: Message): Promise<void> {
  const known = state.messages.get(id)
  if (known?.stream_id !== stream_id || known?.subject !== subject) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      forget()
      resolve()
    }
    const timer = setTimeout(end, EVENT_DELAY_MS)
    const forget = onMove(({ ids }) => ids.includes(id) && end())
  })
}

let loop: EventLoop | undefined

/** Registers and follows events until the page is closed. `onFirst`: called after the first snapshot. */
export function follow({ onFirst }: { readonly onFirst: () => Promise<void> }): void {
  if (loop) {
    resume()
    return
  }
  api.session.bind(sessionOfEarly())
  api.session.onReplaced = startAnew
  connection.value = { kind: 'connecting' }
  loop = new EventLoop({
    api,
    register: REGISTER_OPTIONS,
    onSnapshot: (snapshot) => {
      // A shown state is renewed before anything else.
      if (snapshots.value > 0) void enter(snapshot as Snapshot, onFirst)
      else void oneByOne(() => enter(snapshot as Snapshot, onFirst))
    },
    onEvents: take,
    openSocket: (cursor) => {
      api.session.require()
      return browserSocket(api.base, cursor)
    },
    onConnection: (next) => {
      connection.value = next
      if (snapshots.value === 0 && (next.kind === 'offline' || next.kind === 'waiting')) {
        void oneByOne(() => openKept(onFirst))
      }
      if (next.kind === 'session ended') {
        if (api.session.isReplaced) startAnew()
        else import('./kept-state.ts').then(({ clearSealed }) => clearSealed()).catch(() => {})
      }
      if (next.kind === 'live' && snapshots.value > 0) catchUp()
    },
  })
  void loop.run()
  window.addEventListener('online', () => loop?.retry())
  // A waiting poll would not notice.
  window.addEventListener('offline', () => loop?.retry())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && connection.value.kind !== 'live') loop?.retry()
  })
  detectSleep(() => loop?.retry())
  setInterval(() => {
    const isSeen = document.visibilityState === 'visible' && connection.value.kind === 'live'
    if (!isSeen || snapshots.value === 0) return
    refreshWithoutEvents().catch(() => {})
    compareState().catch(() => {})
  }, WITHOUT_EVENTS_MS)
}

/** Milliseconds between two requests for channels without events. */
const WITHOUT_EVENTS_MS = 20_000

/** Milliseconds between two comparisons of the state with the server's. */
const COMPARED_EVERY_MS = 10 * 60_000
let comparedAt = Date.now()

/** Registers anew if events have not kept the state equal to the server's. */
async function compareState(): Promise<void> {
  if (Date.now() - comparedAt < COMPARED_EVERY_MS) return
  comparedAt = Date.now()
  const { hasDrifted } = await import('./compare-state.ts')
  if (await hasDrifted(api, state, () => loop?.cursor)) loop?.renew()
}

const TICK_MS = 10_000
/** Milliseconds of silence that mean sleep: timers of a hidden page fire once a minute. */
const SLEEP_MS = 90_000

/**
 * Calls `onWake` after the computer slept: the old connection is dead, and nothing else shows that.
 */
function detectSleep(onWake: () => void): void {
  let last = Date.now()
  setInterval(() => {
    const silence = Date.now() - last
    last = Date.now()
    if (silence > SLEEP_MS) onWake()
  }, TICK_MS)
}

/** Continues after a log-in in this tab. */
export function resume(): void {
  api.session.bind()
  loop?.resume()
}

/** Loads the page of the account to which the browser belongs now. What is written here is kept for its own account. */
function startAnew(): void {
  loop?.stop()
  location.reload()
}

/** Logs out, and shows the door. */
export async function endSession(): Promise<void> {
  await (await import('./log-out.ts')).logOutHere(loop)
}

export function retryNow(): void {
  loop?.retry()
}

/** Sends what has not been sent, and fetches what the open windows lack. */
function catchUp(): void {
  for (const { localId } of sendsToRetry(state)) sendAgain(localId)
  // Failed requests are repeated when the connection is back.
  refreshOpenWindows().catch(() => {})
}

let entering = Promise.resolve()

/** A state is processed completely before the next one. */
function oneByOne(act: () => Promise<void>): Promise<void> {
  entering = entering.then(act, act)
  return entering
}

/** Shows what this browser has kept, until the server answers. */
async function openKept(onFirst: () => Promise<void>): Promise<void> {
  if (snapshots.value > 0) return
  const { readKept } = await import('./kept-state.ts')
  const kept = await readKept().catch(() => undefined)
  if (!kept) return
  shownSince.value = kept.at
  adoptState(kept.state)
  await begin(onFirst)
}

/** Shows a state for the first time. */
async function begin(onFirst: () => Promise<void>): Promise<void> {
  restoreUnsent(state, keptUnsent(state.me))
  flush()
  if (snapshots.value === 0) {
    await onFirst()
  }
  snapshots.value += 1
}

async function enter(snapshot: Snapshot, onFirst: () => Promise<void>): Promise<void> {
  shownSince.value = undefined
  if (snapshots.value > 0 && state.me === snapshot.user_id) {
    // Unsent text stays; shown messages are fetched again.
    renewState(state, snapshot)
    flush()
    // If kept data was shown first, the connection was there before this.
    if (connection.value.kind === 'live') catchUp()
    return
  }
  adoptState(createState(snapshot))
  await begin(onFirst)
}

function take(events: readonly ApiEvent[]): void {
  batch(() => {
    applyEvents(state, events as readonly WireEvent[], Date.now())
    for (const move of state.moves.splice(0)) for (const listener of moveListeners) listener(move)
    flush()
  })
  keepUnsent()
  const changed = changedIds(events as readonly WireEvent[])
  forgetInArchive(changed)
  if (changed.length > 0) for (const listener of changeListeners) listener(changed)
  for (const event of events) {
    if (event.type === 'message') {
      const message = { ...(event.message as Message), flags: event.flags as Message['flags'] }
      if (message.sender_id !== state.me && !isMutedPerson(state, message.sender_id))
        for (const listener of newMessageListeners) listener(message)
    }
    if (event.type === 'restart' || event.type === 'web_reload_client') offerReload()
  }
  void fetchWanted()
}

function changedIds(events: readonly WireEvent[]): number[] {
  return events
    .filter(({ type }) => type === 'delete_message' || type === 'update_message')
    .flatMap(({ message_id, message_ids }) => (message_ids ?? [message_id]) as readonly number[])
}

/** Removes messages from what the browser keeps that are deleted, or are changed and not loaded. */
function forgetInArchive(changed: readonly number[]): void {
  for (const id of changed) if (!state.messages.has(id)) toForget.add(id)
  if (toForget.size > 0)
    import('./kept-state.ts').then(({ forgetMessages }) => forgetMessages()).catch(() => {})
}

/** Offers to reload when the server has a newer page, which is loaded while the page is hidden. */
function offerReload(): void {
  const reloadUnseen = () => {
    if (document.visibilityState === 'hidden') location.reload()
  }
  document.addEventListener('visibilitychange', reloadUnseen)
  reloadUnseen()
}

/** Each account of this browser has its own. */
const unsentKey = (user: number) => `unsent ${user}`

interface Unsent {
  readonly unsent: ReturnType<typeof unsentMessages>
}

/** Stores unsent messages beyond the life of the page. */
export function keepUnsent(): void {
  const unsent = unsentMessages(state)
  if (unsent.length === 0) localStorage.removeItem(unsentKey(state.me))
  else store(unsentKey(state.me), { unsent } satisfies Unsent)
}

function keptUnsent(userId: number): Unsent['unsent'] {
  return readStored<Unsent>(unsentKey(userId))?.unsent ?? []
}
