import { Changes } from './changes.ts'
import type { ChatState } from './chat-state.ts'
import { newOutbox } from './outbox.ts'

/** The part of the state that a browser keeps for reading offline, without functions, so that it can be copied. */
export type KeptState = Omit<ChatState, 'changes' | 'outbox'>

/** Returns the state as it was kept. */
export function stateOfKept(kept: KeptState): ChatState {
  return { ...kept, changes: new Changes(), outbox: newOutbox() }
}
