import { askWorker } from './api.ts'

/** Makes the Worker forget the texts of messages that it keeps, for tests of what reading them from D1 costs or shows. */
export async function forgetTexts(): Promise<void> {
  await askWorker(new Request('https://any.example/dev/kept-texts', { method: 'DELETE' }))
}
