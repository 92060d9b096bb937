import type { Message } from '../../state/wire.ts'

/** A row of a list of messages, with a key that it keeps. */
export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly seconds: number }
  | { readonly kind: 'heading'; readonly key: string; readonly message: Message }
  | { readonly kind: 'unread'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly id: number
      readonly begins: boolean
      /** Whether a search has found it. */
      readonly isFound: boolean
    }
  | { readonly kind: 'outgoing'; readonly key: string; readonly localId: string; readonly begins: boolean }
