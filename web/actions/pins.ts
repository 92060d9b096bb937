import { signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { state, watch } from '../chat.ts'
import { topicKey } from '../state/conversation.ts'
import { call } from './call.ts'

/** A message or topic at the head of a channel. */
export interface Pin {
  readonly id: number
  readonly message_id: number | null
  /** Null where message_id is given, and the other way round. */
  readonly topic: string | null
}

interface PinsOfChannel {
  readonly pins: readonly Pin[]
  /** The state, and its change, with which they were asked for. */
  readonly of: typeof state
  readonly version: number
}

const known = signal<ReadonlyMap<number, PinsOfChannel>>(new Map())
const asked = new Map<number, string>()
const NONE: readonly Pin[] = []

/** Returns the pins of a channel, the newest first, as far as they have been fetched. */
export function pinsOf(channelId: number): readonly Pin[] {
  const found = known.value.get(channelId)
  return found?.of === state ? found.pins : NONE
}

/** Fetches the pins of a channel while a view shows them, again after each change. */
export function usePins(channelId: number): readonly Pin[] {
  watch(`pins of channel ${channelId}`)
  const version = state.changes.version(`pins of channel ${channelId}`)
  useEffect(() => {
    // Without a connection they are asked for at the next change, or visit.
    loadPins(channelId).catch(() => {})
  }, [channelId, version, state])
  return pinsOf(channelId)
}

/** Returns the keys of the pinned topics of a channel that is open in the sidebar. */
export function usePinnedTopics(channelId: number): ReadonlySet<string> {
  const pins = usePins(channelId)
  return useMemo(
    () => new Set(pins.flatMap(({ topic }) => (topic === null ? [] : [topicKey(topic)]))),
    [pins],
  )
}

async function loadPins(channelId: number): Promise<void> {
  const of = state
  const version = of.changes.version(`pins of channel ${channelId}`)
  const found = known.peek().get(channelId)
  if (found?.of === of && found.version === version) return
  const asking = `${version} ${of.queueId}`
  if (asked.get(channelId) === asking) return
  asked.set(channelId, asking)
  try {
    const path = `/streams/${channelId}/pins`
    const { pins } = await call<{ pins: Pin[] }>('GET', path, { allow_empty_topic_name: true })
    known.value = new Map(known.peek()).set(channelId, { pins, of, version })
  } finally {
    asked.delete(channelId)
  }
}

/** Pins a message or a topic. */
export async function pin(
  channelId: number,
  what: { readonly message_id: number } | { readonly topic: string },
): Promise<void> {
  await call('POST', `/streams/${channelId}/pins`, what)
}

export async function unpin(channelId: number, { id }: Pin): Promise<void> {
  await call('DELETE', `/streams/${channelId}/pins/${id}`)
}
