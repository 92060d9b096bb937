import { signal } from '@preact/signals'
import { api, pages } from './call.ts'

/** The callback of a pending proof of identity, which receives whether it succeeded; undefined if none is pending. */
export const proofAsked = signal<((isProved: boolean) => void) | undefined>(undefined)

let underWay: Promise<boolean> | undefined

/** Asks for a proof when the server requires one; other requests refused meanwhile share it. */
export function offerProofs(): void {
  const ask = () => {
    underWay ??= new Promise<boolean>((resolve) => {
      proofAsked.value = resolve
    }).finally(() => {
      underWay = undefined
      proofAsked.value = undefined
    })
    return underWay
  }
  api.onProofNeeded = ask
  pages.onProofNeeded = ask
}
