import { signal } from '@preact/signals'
import { api, pages } from './call.ts'

/** Set while the user is asked to prove who is there: what to call then, with whether that was proved. */
export const proofAsked = signal<((isProved: boolean) => void) | undefined>(undefined)

let underWay: Promise<boolean> | undefined

/** Asks for a proof when the server wants one; requests that are refused meanwhile wait for the same one. */
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
