import { askWorker } from './api.ts'

/** Clears the Worker's cache of message texts, for tests of reading them from D1. */
export async function forgetTexts(): Promise<void> {
  await askWorker(new Request('https://any.example/dev/kept-texts', { method: 'DELETE' }))
}
