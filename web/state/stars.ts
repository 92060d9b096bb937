import type { ChatState } from './chat-state.ts'

export function star({ starred, changes }: ChatState, id: number, adds: boolean): void {
  if (adds === starred.has(id)) return
  if (adds) starred.add(id)
  else starred.delete(id)
  changes.touch('stars')
}

/** Has starred messages fetched that may be in this channel, since the user may no longer read them: what does not come loses its star. */
export function doubtStars(state: ChatState, channelId: number): void {
  for (const id of state.starred) {
    const message = state.messages.get(id)
    if (!message || message.stream_id === channelId) state.wanted.add(id)
  }
}
